// A lesson: chapters with comments, kept in the address or in a file, and the circles and arrows on the board.

import { byId, element, isAble, setAble, setShown, setText } from "../dom.js";
import { readLesson } from "../link.js";
import { unknownMark } from "./marks.js";
import { saveFile } from "./picture.js";

export function lessonView(explorer) {
  const [comment, marks, file, problem] = ["comment", "marks", "file", "problem"].map((name) => byId(`lesson-${name}`));
  let shown = "";

  /** Replace some chapters by those that are given, and number the current one. */
  function splice(start, count, added, chapter) {
    explorer.update({ chapters: explorer.state.chapters.toSpliced(start, count, ...added), chapter });
  }

  const here = (number) => [comment.value.trim() || `Chapter ${number + 1}`, explorer.chapterLink()];
  for (const [id, act] of Object.entries({
    "chapter-add": (at, count) => splice(at + 1, 0, [here(count)], count ? at + 1 : 0),
    "chapter-replace": (at) => splice(at, 1, [here(at)], at),
    "chapter-remove": (at) => splice(at, 1, [], Math.max(0, at - 1)),
    "lesson-save": () => saveFile(new Blob([JSON.stringify({ lesson: explorer.state.chapters }, null, 1)]), "lesson.json"),
    "lesson-load": () => file.click(),
  })) byId(id).addEventListener("click", ({ currentTarget }) => !isAble(currentTarget) || act(explorer.state.chapter, explorer.state.chapters.length));
  marks.addEventListener("change", () => {
    const names = marks.value.toLowerCase().split(/[\s,]+/).filter(Boolean);
    const unknown = names.find((name) => unknownMark(explorer.rules, name));
    setText(problem, unknown ? `${unknown} is not a square or an arrow of this board. Write squares and arrows, such as b2 a1-c3.` : "");
    if (!unknown) explorer.update({ marks: names }, { replace: true });
  });
  file.addEventListener("change", async () => {
    const chapters = readLesson(await file.files[0].text());
    file.value = "";
    setText(problem, chapters.length ? "" : "This file is not a lesson. A lesson is a file that the button Save as a file has written.");
    if (chapters.length) explorer.openChapter(0, chapters);
  });

  return ({ state, rules }) => {
    setShown(byId("lesson"), rules && state.lesson);
    if (!rules || !state.lesson) return;
    const { chapters, chapter } = state;
    const drawn = JSON.stringify([chapters, chapter]);
    if (drawn !== shown) {
      comment.value = chapters[chapter]?.[0] ?? "";
      byId("chapters").replaceChildren(...chapters.map(([text], at) => element("li", {},
        element("button", { class: "inline", "aria-current": at === chapter ? "step" : null, click: () => explorer.openChapter(at) }, text))));
    }
    shown = drawn;
    if (document.activeElement !== marks) marks.value = state.marks.join(" ");
    for (const id of ["chapter-replace", "chapter-remove", "lesson-save"]) setAble(byId(id), chapters.length);
  };
}
