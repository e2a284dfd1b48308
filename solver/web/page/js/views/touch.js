// What a pointer does to a move: a mouse looks where it rests and acts by a click; a finger acts by a tap and looks when
// it is held, and what it looked at stays until the next touch.

const HOLD = 400; // milliseconds

/** Listeners for `element`: `look` at a move, `leave` it, `act` on it. */
export function lookOnHold({ look, leave, act }) {
  let pressed = null; // when a finger came down
  const held = (event) => pressed !== null && event.timeStamp - pressed >= HOLD;
  return {
    pointerenter: look,
    pointerdown: (event) => { pressed = event.pointerType === "touch" ? event.timeStamp : null; },
    pointerleave: (event) => { if (!held(event)) leave(); },
    contextmenu: (event) => { if (pressed !== null) event.preventDefault(); },
    click: (event) => {
      const looked = event.detail > 0 && held(event); // a key makes clicks too
      pressed = null;
      if (!looked) act(event);
    },
  };
}
