// What a hand has to know of a page, asked in the page.  A thing is a selector, which may end in "| a part of the text",
// or a place on the map: {unit}, {province}, away from units, or {slot}, where units of a province stand.
(() => {
  const find = (thing) => {
    const [selector, text = ""] = thing.split(" | ");
    return [...document.querySelectorAll(selector)]
      .find((each) => each.checkVisibility() && each.textContent.includes(text)) || null;
  };
  const middle = (box) => [box.x + box.width / 2, box.y + box.height / 2];

  // Return a point where nothing lies over an element, else null.
  const clear = (element, [x, y]) => element.contains(document.elementFromPoint(x, y)) ? [x, y] : null;

  const onMap = ({ unit = "", province = "", slot }) => {
    if (!slot) return findSpot([unit, province]);
    return clear(document.querySelector("#board"), findSlot(slot));
  };

  return {
    // Return where to put a finger or the mouse, [x, y], or null while that would hit something else or nothing.
    locate: (thing) => {
      if (typeof thing === "object") return onMap(thing);
      const element = find(thing);
      if (!element || element.disabled || element.ariaDisabled === "true") return null;
      element.scrollIntoView({ block: "nearest", behavior: "instant" });
      return clear(element, middle(element.getBoundingClientRect()));
    },

    // Return the key that brings the focus nearer to an element, [] once it is there, null without the element.
    approach: (thing) => {
      const [element, focused] = [find(thing), document.activeElement];
      if (!element) return null;
      if (element === focused) return [];
      if (focused.role === "tab" && focused.parentElement.contains(element)) return ["ArrowRight"];
      const isBehind = focused.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING;
      return isBehind ? ["Shift", "Tab"] : ["Tab"];
    },

    // Return true once a part of the page has the focus, else null.
    focus: () => document.activeElement !== document.body || null,

    // Return true once what an element says, holds or leads to fits an expression, else null.
    tells: (thing, wanted) => {
      const element = find(thing);
      const told = element && [element.textContent, element.value, element.href].join(" ");
      return element && new RegExp(wanted).test(told) || null;
    },
  };
})()
