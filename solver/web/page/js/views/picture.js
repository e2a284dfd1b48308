// Save a picture that is drawn on the page as a file.

const STYLES = ["fill", "stroke", "stroke-width", "stroke-linecap", "stroke-dasharray", "opacity", "font-size", "font-weight", "text-anchor", "dominant-baseline"];
const PIXELS = 1000; // of the longer side of a PNG

/** Save an SVG element as a file. kind: "svg" or "png". name: of the file. */
export async function savePicture(picture, kind, name) {
  const [, , width, height] = picture.getAttribute("viewBox").split(" ").map(Number);
  const scale = PIXELS / Math.max(width, height);
  const svg = new Blob([standAlone(picture, scale * width, scale * height)], { type: "image/svg+xml" });
  saveFile(kind === "svg" ? svg : await rasterize(svg, scale * width, scale * height), `${name.replace(/\W+/g, "-")}.${kind}`);
}

/** The text of an SVG file with the styles that the page gives the picture. */
function standAlone(picture, width, height) {
  const copy = picture.cloneNode(true);
  const originals = [picture, ...picture.querySelectorAll("*")];
  [copy, ...copy.querySelectorAll("*")].forEach((node, at) => {
    const style = getComputedStyle(originals[at]);
    for (const each of STYLES) node.setAttribute(each, each === "fill" || each === "stroke" ? plainColour(style[each]) : style.getPropertyValue(each));
    node.removeAttribute("class");
  });
  const used = new Set([...copy.querySelectorAll("use")].map((node) => node.getAttribute("href")));
  for (const id of used) if (/^#[\w-]+$/.test(id) && document.querySelector(id)) copy.prepend(document.querySelector(id).cloneNode(true));
  for (const [key, value] of Object.entries({ xmlns: "http://www.w3.org/2000/svg", width, height })) copy.setAttribute(key, value);
  return new XMLSerializer().serializeToString(copy);
}

/** A colour that every program reads. */
function plainColour(colour) {
  if (!/^\w+\(/.test(colour)) return colour;
  const canvas = new OffscreenCanvas(1, 1).getContext("2d");
  canvas.fillStyle = colour;
  canvas.fillRect(0, 0, 1, 1);
  return `rgb(${[...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3)})`;
}

async function rasterize(svg, width, height) {
  const image = new Image();
  image.src = URL.createObjectURL(svg);
  await image.decode();
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext("2d").drawImage(image, 0, 0, width, height);
  return canvas.convertToBlob();
}

/** Save a file in the folder for downloads. */
export function saveFile(blob, name) {
  const link = document.createElement("a");
  Object.assign(link, { href: URL.createObjectURL(blob), download: name });
  link.click();
}
