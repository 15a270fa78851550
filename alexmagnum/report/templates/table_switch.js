// The switch of a sheet: between the reader's own orders and the table, which needs the judge.
//
//   const { fail } = makeTableSwitch({ sentences, open, leave })     open(): starts the judge and shows the table, a promise;
//                                                                    leave(): shows what was there before
//   fail(why)                                                        the judge cannot run: "unsupported", "broken", "stopped"
const makeTableSwitch = ({ sentences, open, leave }) => {
  const { part } = pageParts;
  const say = (code, text = "") => { part("try-said").textContent = sentences[code].replace("%", () => text); };
  const WHY = { unsupported: "too-old", broken: "broken", stopped: "stopped" };
  const able = typeof WebAssembly === "object" && typeof Worker === "function" && typeof DecompressionStream === "function";
  let given_up = false;

  const show = (on) => {
    part("try").setAttribute("aria-checked", String(on));
    document.body.classList.toggle("trying", on);
    for (const id of ["table", "table-bar"]) part(id).hidden = !on;
  };

  const fail = (why, detail = "") => {
    if (given_up) return;
    given_up = true;
    show(false);
    part("try").hidden = true;
    if (WHY[why]) say(WHY[why]);
    else say("failed", String(detail || why));
    leave();
  };

  const turn = async () => {
    if (part("try").getAttribute("aria-checked") === "true") {
      show(false);
      say("about");
      return leave();
    }
    show(true);
    say("opening");
    part("try").setAttribute("aria-busy", "true");
    try {
      await open();
      if (!given_up) say("about");
    } catch (error) {
      fail("", String((error && error.message) || error));
    } finally {
      part("try").removeAttribute("aria-busy");
    }
  };

  if (able) {
    part("try").hidden = false;
    part("try").addEventListener("click", turn);
  } else {
    say("too-old");
  }
  return { fail };
};
