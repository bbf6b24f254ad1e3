"use strict";
const steps = Array.from(document.querySelectorAll("article.step"));
const links = Array.from(document.querySelectorAll("nav a"));
let current = -1;
function show(place, move) {
  if (!steps.length) return;
  current = Math.min(Math.max(place, 0), steps.length - 1);
  steps.forEach((step, at) => step.classList.toggle("current", at === current));
  links.forEach((link, at) => at === current ? link.setAttribute("aria-current", "step") : link.removeAttribute("aria-current"));
  if (move) {
    steps[current].focus({ preventScroll: true });
    steps[current].scrollIntoView({ block: "start" });
    history.replaceState(null, "", "#" + steps[current].id);
  }
}
function fromHash() {
  const at = steps.findIndex((step) => "#" + step.id === location.hash);
  if (at >= 0) show(at, false);
}
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("pre, summary")) return;
  const goal = { ArrowRight: current + 1, j: current + 1, ArrowLeft: current - 1, k: current - 1, Home: 0, End: steps.length - 1 };
  if (!(event.key in goal)) return;
  event.preventDefault();
  show(goal[event.key], true);
});
window.addEventListener("hashchange", fromHash);
fromHash();
