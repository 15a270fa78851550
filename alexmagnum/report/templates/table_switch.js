// The switch of a sheet: between the reader's own orders and the table, which needs the judge.
//
//   makeTableSwitch({ sentences, open, leave })     open(): starts the judge and shows the table, a promise;
//                                                   leave(): shows what was there before
const makeTableSwitch = ({ sentences, open, leave }) => {
  const { part } = pageParts;
  const say = (code, text = "") => { part("try-said").textContent = sentences[code].replace("%", () => text); };
  const able = typeof WebAssembly === "object" && typeof Worker === "function" && typeof DecompressionStream === "function";

  const show = (on) => {
    part("try").setAttribute("aria-checked", String(on));
    document.body.classList.toggle("trying", on);
    for (const id of ["table", "table-bar"]) part(id).hidden = !on;
  };

  const fail = (error) => {
    show(false);
    part("try").hidden = true;
    say("failed", String((error && error.message) || error));
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
      say("about");
    } catch (error) {
      fail(error);
    } finally {
      part("try").removeAttribute("aria-busy");
    }
  };

  if (!able) return say("too-old");
  part("try").hidden = false;
  part("try").addEventListener("click", turn);
};
