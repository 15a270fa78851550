// Drags a unit on a map with a mouse or a finger: to move it, or to order it.
//
//   makeUnitDrag({ board, svg, can, drop })   can(token): whether a unit may be dragged; drop(token, event): where it was let go
//
// The map stays where it is meanwhile. A press that does not move is a click, as ever; a second finger ends the drag, and both
// are the map's.
const makeUnitDrag = ({ board, svg, can, drop }) => {
  const SLIP = 8; // CSS pixels that a press may move and still be a click
  let held = null; // {token, id, start, line}: the unit that is pressed, and the line to the pointer once it is dragged

  const place = ({ clientX, clientY }) => new DOMPoint(clientX, clientY).matrixTransform(svg.getScreenCTM().inverse());

  const let_go = () => {
    held?.line?.remove();
    held = null;
  };

  const press = (event) => {
    if (held) return let_go();
    const token = event.target.closest?.("[data-layer='units'] .unit");
    if (!token || event.button || !event.isPrimary || !can(token)) return;
    held = { token, id: event.pointerId, start: event, line: null };
  };

  const move = (event) => {
    if (event.pointerId !== held?.id) return;
    event.stopPropagation(); // the map is not dragged
    if (!held.line) {
      if (Math.hypot(event.clientX - held.start.clientX, event.clientY - held.start.clientY) < SLIP) return;
      const { x, y } = place(held.start);
      held.line = pageParts.shape("line", { x1: x, y1: y, class: "drag-line" });
      svg.append(held.line);
      board.setPointerCapture(held.id);
    }
    const { x, y } = place(event);
    held.line.setAttribute("x2", x);
    held.line.setAttribute("y2", y);
  };

  const lift = (event) => {
    if (event.pointerId !== held?.id) return;
    const { token, line } = held;
    let_go();
    if (!line) return;
    addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => removeEventListener("click", swallow, true));
    drop(token, event);
  };

  // A drag does not end in a click.
  const swallow = (event) => { event.stopPropagation(); event.preventDefault(); };

  board.addEventListener("pointerdown", press, true);
  // On the whole map a finger scrolls the page, and no shape of a drawing has a touch-action of its own.
  board.addEventListener("touchmove", (event) => { if (held && event.cancelable) event.preventDefault(); }, { passive: false });
  addEventListener("pointermove", move, true);
  addEventListener("pointerup", lift);
  addEventListener("pointercancel", let_go);
};
