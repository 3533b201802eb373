// Everything can be read without this: it shows what of a graph a chain passes, and enlarges it.
(() => {
  const net = document.querySelector(".net");
  let chosen = null;
  const numbers = (element) => (element.dataset.c || element.dataset.chain || "").split(" ").filter(Boolean);
  const show = (chains) => {
    const wanted = new Set(chains);
    for (const element of document.querySelectorAll("[data-c],[data-chain]"))
      element.classList.toggle("on", numbers(element).some((one) => wanted.has(one)));
    if (net) net.classList.toggle("dim", wanted.size > 0);
  };
  const again = () => show(chosen === null ? [] : [chosen]);
  const follow = () => {
    const found = /^#chain-(\d+)$/.exec(location.hash);
    chosen = found ? found[1] : null;
    again();
  };
  for (const element of document.querySelectorAll("[data-c],[data-chain]")) {
    const enter = () => numbers(element).length && show(numbers(element));
    element.addEventListener("mouseenter", enter);
    element.addEventListener("mouseleave", again);
    element.addEventListener("focusin", enter);
    element.addEventListener("focusout", again);
  }
  addEventListener("hashchange", follow);
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || chosen === null) return;
    history.replaceState(null, "", location.pathname + location.search);
    follow();
  });
  follow();
  const tools = document.querySelector(".tools");
  if (net && tools) {
    const [wide, high] = [net.width.baseVal.value, net.height.baseVal.value];
    let scale = 1;
    const size = (next) => {
      scale = Math.min(3, Math.max(0.1, next));
      net.setAttribute("width", wide * scale);
      net.setAttribute("height", high * scale);
    };
    const fit = () => net.parentElement.clientWidth / wide;
    tools.hidden = false;
    tools.addEventListener("click", (event) => {
      const by = event.target.dataset.zoom;
      if (by) size(by === "fit" ? Math.min(1, fit()) : by === "one" ? 1 : scale * by);
    });
    if (fit() < 1) size(Math.max(fit(), 0.75));
  }
  addEventListener("beforeprint", () => {
    for (const folded of document.querySelectorAll("details")) folded.open = true;
  });
})();
