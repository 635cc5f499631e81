/** Applies the reader's colours before anything is drawn; a plain script, so that nothing flashes. */
(() => {
  const root = document.documentElement;
  const isEmbedded = new URLSearchParams(location.search).has("embed");
  root.dataset.embed = String(isEmbedded);
  const asked = new URLSearchParams(location.search).get("theme");
  let kept = null;
  try {
    kept = localStorage.getItem("sluice.theme");
  } catch {
    // Storage may be switched off.
  }
  const theme = asked ?? kept;
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
})();
