"use strict";
// Pan and zoom of an SVG in a frame. Our own: the libraries (d3-zoom, panzoom, svg-pan-zoom) move a bitmap or a wrapper instead of the viewBox, take every touch and turn of the wheel from the page, and know neither print nor a pinned frame.
//
//   const view = panZoom(frame, svg);     frame: a box of a fixed size with tabindex="0"; svg: what fills it
//   view.fit(box, {margin, most})         shows a box of the map, all of it, `margin` CSS pixels from the edges and at most
//                                         `most` times as large as the whole map
//   view.gather(elements, {margin})        as many of them as a view can show in a size to be hit and read
//   view.open(elements)                   the first view of a page: those of them, with the map up to the edges of the frame
//   view.sees(box, {margin, at})          says whether all of a box is in sight, `margin` CSS pixels from the edges, in what is
//                                         shown or in the view `at`
//   view.bring(box, {margin})             fits a box that is not in sight without enlarging the map
//   view.current                          what is shown, for view.restore(current) to show it again
//   view.handled                          how often the reader zoomed or moved the map
//   view.zoom(by, [x, y])                 zooms around a point of the screen, or around the middle
//   view.reset()                          shows the whole map
//   view.boxOf(elements)                  the box {x, y, width, height} on the map around parts of it
//   view.factor                           how much larger than the whole map it is shown: 1 or more
//   view.settled                          false while the map is on its way to what fit, bring or reset asked for
//
// It finds the buttons by itself: [data-zoom="in"], "out" and "whole" in the parent of the frame. A mouse or, on a map that
// is enlarged, a finger drags; two fingers pinch; + - 0 and the arrows work while the frame has the focus. A drag does
// not end in a click. What the page keeps: a finger on the whole map, the wheel in a scroll that began elsewhere or
// over a pointer that has not moved, and the arrows where there is nothing more to see. Paper shows the whole map.
const panZoom = (frame, svg) => {
  const MOST = 16; // how much larger than the whole map anything is shown
  const STEP = 1.5; // one press of a button or a key
  const SLIP = 6; // CSS pixels that a press may move and still be a click
  const REST = 200; // milliseconds without a movement that end a gesture
  const GESTURE = 250; // milliseconds between turns of the wheel that belong together
  const SMALLEST = 10; // CSS pixels of a symbol below which it can be neither hit nor read
  const COMFORT = 16; // the same of a symbol in a part of the map, where the whole would be too small
  const CLEAR = 0.9; // CSS pixels to a unit of the map at which everything can be read
  const EDGE = 44; // CSS pixels from the symbols of a first view to the edge of the frame
  const whole = svg.viewBox.baseVal;
  const home = { x: whole.x, y: whole.y, width: whole.width, height: whole.height };
  const clamp = (value, least, most) => Math.max(least, Math.min(most, value));
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const paper = matchMedia("print");

  const held = new Map(); // by pointer that is down: where it is
  let factor = 1; // of what is shown now
  let middle = [home.x + home.width / 2, home.y + home.height / 2];
  let drawn = { factor, middle }; // what the viewBox shows; a gesture moves that picture until it rests
  let pending = 0; // the frame that will be drawn next, if any
  let printing = false;
  let moves = false; // whether a gesture lasts
  let rest = 0; // the timer that ends a gesture
  let journey = 0; // the frame of an animation, if any
  let arrival = null; // the view at the end of that animation, while it lasts
  let handled = 0; // how often the reader zoomed or moved the map

  const size = () => [Math.max(1, frame.clientWidth), Math.max(1, frame.clientHeight)];
  const least = () => Math.min(size()[0] / home.width, size()[1] / home.height); // CSS pixels to a unit of the map
  const extent = (by) => size().map((pixels) => pixels / (least() * by));

  const keep = (centre, start, length, seen) => seen >= length ? start + length / 2
    : clamp(centre, start + seen / 2, start + length - seen / 2);

  const show = (by, [x, y], moving = false) => {
    factor = clamp(by, 1, MOST);
    const [across, down] = extent(factor);
    middle = [keep(x, home.x, home.width, across), keep(y, home.y, home.height, down)];
    moves = moving;
    pending ||= requestAnimationFrame(() => { pending = 0; (moves ? move : draw)(); });
  };

  // A new viewBox draws thousands of shapes anew, too slow for each step of a gesture: meanwhile the picture moves.
  const move = () => {
    const by = factor / drawn.factor;
    const [x, y] = drawn.middle.map((value, i) => (value - middle[i]) * least() * factor);
    svg.style.willChange = "transform";
    svg.style.transform = `translate(${x}px, ${y}px) scale(${by})`;
    mark();
    clearTimeout(rest);
    rest = setTimeout(settle, REST);
  };

  const settle = () => { if (moves && !held.size && !journey) show(factor, middle); };

  const draw = () => {
    const [across, down] = extent(factor);
    const box = printing || paper.matches ? [home.x, home.y, home.width, home.height]
      : [middle[0] - across / 2, middle[1] - down / 2, across, down];
    clearTimeout(rest);
    drawn = { factor, middle };
    svg.style.willChange = svg.style.transform = "";
    svg.setAttribute("viewBox", box.map((value) => value.toFixed(2)).join(" "));
    mark();
  };

  const mark = () => {
    const enlarged = factor > 1.001;
    frame.style.touchAction = enlarged ? "none" : "pan-x pan-y";
    frame.classList.toggle("enlarged", enlarged);
    for (const button of buttons) {
      button.setAttribute("aria-disabled", String(button.dataset.zoom === "in" ? factor >= MOST : !enlarged));
    }
  };

  const halt = () => { cancelAnimationFrame(journey); journey = 0; arrival = null; };

  const go = (by, goal) => {
    halt();
    if (still.matches) return show(by, goal);
    arrival = { factor: by, middle: goal };
    const [from, start, began] = [factor, middle, performance.now()];
    const step = (now) => {
      const part = clamp((now - began) / 300, 0, 1);
      const eased = part * part * (3 - 2 * part);
      show(from * (by / from) ** eased, start.map((value, i) => value + (goal[i] - value) * eased), part < 1);
      journey = part < 1 ? requestAnimationFrame(step) : 0;
      if (!journey) arrival = null;
    };
    journey = requestAnimationFrame(step);
  };

  const place = ([x, y]) => { // of a point of the screen on the map
    const box = frame.getBoundingClientRect();
    const scale = least() * factor;
    return [middle[0] + (x - box.left - frame.clientLeft - size()[0] / 2) / scale,
      middle[1] + (y - box.top - frame.clientTop - size()[1] / 2) / scale];
  };

  const around = ([x, y], by) => { // the middle that leaves a point where it is, if the map becomes so large
    const ratio = factor / by;
    return [x + (middle[0] - x) * ratio, y + (middle[1] - y) * ratio];
  };

  const zoom = (by, at, moving) => {
    const next = clamp(factor * by, 1, MOST);
    handled += 1;
    halt();
    show(next, around(at ? place(at) : middle, next), moving);
  };

  const pan = (across, down, moving) => {
    const before = middle;
    const scale = least() * factor;
    handled += 1;
    halt();
    show(factor, [middle[0] + across / scale, middle[1] + down / scale], moving);
    return before[0] !== middle[0] || before[1] !== middle[1];
  };

  const boxOf = (elements) => {
    const boxes = [...elements].map((element) => element.getBoundingClientRect()).filter((box) => box.width || box.height);
    if (!boxes.length) return null;
    const edge = (pick, name) => pick(...boxes.map((box) => box[name]));
    const shown = svg.viewBox.baseVal;
    const at = svg.getBoundingClientRect(); // moved by a gesture together with what it holds
    const scale = Math.min(at.width / shown.width, at.height / shown.height);
    const left = at.left + (at.width - shown.width * scale) / 2;
    const top = at.top + (at.height - shown.height * scale) / 2;
    return {
      x: shown.x + (edge(Math.min, "left") - left) / scale, y: shown.y + (edge(Math.min, "top") - top) / scale,
      width: (edge(Math.max, "right") - edge(Math.min, "left")) / scale,
      height: (edge(Math.max, "bottom") - edge(Math.min, "top")) / scale,
    };
  };

  const room = (margin) => size().map((pixels) => Math.max(pixels - 2 * margin, pixels / 3));

  const fit = (box, { margin = 24, most = 4, fewest = 1, way = go } = {}) => {
    if (!box) return;
    const [across, down] = room(margin);
    const by = Math.min(across / Math.max(box.width, 1), down / Math.max(box.height, 1)) / least();
    way(clamp(by, fewest, most), [box.x + box.width / 2, box.y + box.height / 2]);
  };

  const gather = (elements, { margin = EDGE } = {}) => {
    const boxes = elements.map((element) => boxOf([element]));
    const size_of = Math.min(...boxes.map((box) => box.width));
    const seen_from = (x, y, pixels) => {
      const [width, height] = size().map((length) => (length - 2 * margin) * size_of / pixels);
      return elements.filter((element, i) => boxes[i].x >= x && boxes[i].x + boxes[i].width <= x + width &&
        boxes[i].y >= y && boxes[i].y + boxes[i].height <= y + height);
    };
    const [xs, ys] = ["x", "y"].map((axis) => boxes.map((box) => box[axis]));
    if (seen_from(Math.min(...xs), Math.min(...ys), SMALLEST).length === elements.length) return elements;
    return xs.flatMap((x) => ys.map((y) => seen_from(x, y, COMFORT)))
      .reduce((most, seen) => (seen.length > most.length ? seen : most), elements.slice(0, 1));
  };

  let opened = null; // the parts of the first view: as long as nobody moved the map, another size shows them anew
  const open = (elements) => {
    opened = elements;
    const cover = Math.max(size()[0] / home.width, size()[1] / home.height) / least();
    const box = boxOf(gather(elements)) || home;
    fit(box, { margin: EDGE, fewest: cover, most: Math.max(cover, CLEAR / least()), way: show });
  };

  const current = () => arrival || { factor, middle };

  const restore = (at) => go(at.factor, at.middle);

  const sees = (box, { margin = 24, at = current() } = {}) => {
    const [across, down] = room(margin).map((pixels) => pixels / (least() * at.factor) / 2);
    return Math.abs(box.x + box.width / 2 - at.middle[0]) <= across - box.width / 2
      && Math.abs(box.y + box.height / 2 - at.middle[1]) <= down - box.height / 2;
  };

  const bring = (box, { margin = 24 } = {}) => {
    if (box && !sees(box, { margin })) fit(box, { margin, most: factor });
  };

  const reset = () => go(1, [home.x + home.width / 2, home.y + home.height / 2]);

  // -- fingers and the mouse: one drags, two pinch ---------------------------------------------

  let pressed = null; // where the first pointer went down
  let dragged = false;

  const spread = () => {
    const [one, other] = [...held.values()];
    return other ? Math.hypot(one[0] - other[0], one[1] - other[1]) : 0;
  };

  const centre = () => {
    const all = [...held.values()];
    return [0, 1].map((i) => all.reduce((sum, at) => sum + at[i], 0) / all.length);
  };

  frame.addEventListener("pointerdown", (event) => {
    if (event.button || held.size === 2) return;
    if (!held.size) [pressed, dragged] = [[event.clientX, event.clientY], false];
    held.set(event.pointerId, [event.clientX, event.clientY]);
  });

  addEventListener("pointermove", (event) => {
    if (!held.has(event.pointerId)) return;
    if (event.pointerType === "mouse" && !event.buttons) return lift(event); // let go outside the window
    const [before, apart] = [centre(), spread()];
    held.set(event.pointerId, [event.clientX, event.clientY]);
    const now = centre();
    dragged ||= held.size > 1 || Math.hypot(now[0] - pressed[0], now[1] - pressed[1]) > SLIP;
    if (!dragged) return held.set(event.pointerId, before);
    frame.setPointerCapture(event.pointerId);
    frame.classList.add("dragged");
    pan(before[0] - now[0], before[1] - now[1], true);
    if (apart) zoom(spread() / apart, now, true);
  });

  const lift = (event) => {
    held.delete(event.pointerId);
    if (held.size) return;
    frame.classList.remove("dragged");
    settle();
  };
  addEventListener("pointerup", lift);
  addEventListener("pointercancel", lift);
  frame.addEventListener("click", (event) => {
    if (dragged && event.detail) { event.stopPropagation(); event.preventDefault(); }
    dragged = false;
  }, true);
  frame.addEventListener("dragstart", (event) => event.preventDefault());
  // Two fingers never scroll or enlarge the page, whatever the browser makes of touch-action.
  const two = (event) => { if (event.touches.length > 1 && event.cancelable) event.preventDefault(); };
  for (const name of ["touchstart", "touchmove"]) frame.addEventListener(name, two, { passive: false });

  // -- the wheel ---------------------------------------------------------------------------------

  let meant = false; // the pointer came or moved here by itself, and was nowhere else since, nor was the page scrolled
  let scrolled = -Infinity; // when the wheel last moved the page

  // A browser scrolls the page before it tells of the wheel: by then the map may be under a pointer that was beside it.
  addEventListener("pointermove", (event) => {
    meant = frame.contains(event.target) && (meant || Boolean(event.movementX || event.movementY));
  });
  frame.addEventListener("pointerdown", () => { meant = true; });
  addEventListener("wheel", (event) => {
    if (frame.contains(event.target)) return;
    [meant, scrolled] = [false, event.timeStamp];
  }, { passive: true });

  frame.addEventListener("wheel", (event) => {
    const idle = event.deltaY > 0 && factor <= 1 || event.deltaY < 0 && factor >= MOST;
    const ours = event.ctrlKey || event.metaKey || meant && !idle && event.timeStamp - scrolled > GESTURE;
    if (!ours) { scrolled = event.timeStamp; return; }
    event.preventDefault();
    const pixels = event.deltaY * [1, 30, 300][event.deltaMode] * (event.ctrlKey && Math.abs(event.deltaY) < 30 ? 5 : 1);
    zoom(2 ** clamp(-pixels / 250, -1, 1), [event.clientX, event.clientY], true);
  }, { passive: false });

  // -- keys and buttons --------------------------------------------------------------------------

  const KEYS = {
    "+": () => zoom(STEP), "=": () => zoom(STEP), "-": () => zoom(1 / STEP), 0: () => { handled += 1; reset(); },
    ArrowLeft: () => pan(-80, 0), ArrowRight: () => pan(80, 0), ArrowUp: () => pan(0, -80), ArrowDown: () => pan(0, 80),
  };

  frame.addEventListener("keydown", (event) => {
    const act = event.ctrlKey || event.metaKey || event.altKey ? null : KEYS[event.key];
    if (act && act() !== false) event.preventDefault();
  });

  const PRESSED = { in: KEYS["+"], out: KEYS["-"], whole: KEYS[0] };
  const buttons = [...frame.parentElement.querySelectorAll("[data-zoom]")];
  for (const button of buttons) {
    button.addEventListener("click", () => PRESSED[button.dataset.zoom]());
    button.closest("[hidden]")?.removeAttribute("hidden");
  }

  frame.classList.add("pan-zoom");
  new ResizeObserver(() => (opened && !handled ? open(opened) : show(factor, middle))).observe(frame);
  addEventListener("beforeprint", () => { printing = true; draw(); });
  addEventListener("afterprint", () => { printing = false; draw(); });
  paper.addEventListener("change", () => draw());
  show(1, middle);
  draw();
  return {
    fit, gather, open, sees, bring, zoom, reset, restore, boxOf,
    get factor() { return factor; },
    get current() { return current(); },
    get handled() { return handled; },
    get settled() { return !journey && !pending && !moves; },
  };
};
