// Pointers on moves: a mouse looks by hovering and acts by a click; a finger acts by a tap and looks by
// holding, and the look lasts until the next touch.

const HOLD = 400; // milliseconds

/** Listeners for `element`: `look` at a move, `leave` it, `act` on it. */
export function lookOnHold({ look, leave, act }) {
  let pressed = null; // the time at which a finger came down
  const held = (event) => pressed !== null && event.timeStamp - pressed >= HOLD;
  return {
    pointerenter: look,
    pointerdown: (event) => { pressed = event.pointerType === "touch" ? event.timeStamp : null; },
    pointerleave: (event) => { if (!held(event)) leave(); },
    contextmenu: (event) => { if (pressed !== null) event.preventDefault(); },
    click: (event) => {
      const looked = event.detail > 0 && held(event); // keys cause clicks too
      pressed = null;
      if (!looked) act(event);
    },
  };
}
