// Flat product pictures on a 100 x 100 grid; "C" and "D" stand for the article's colour and its darker shade.
"use strict";

const ART = {
  mug: '<path d="M22 30h44v38a12 12 0 0 1-12 12H34a12 12 0 0 1-12-12z" fill="C"/><path d="M66 38h6a12 12 0 0 1 0 24h-6" fill="none" stroke="D" stroke-width="7"/><path d="M22 30h44v9H22z" fill="D"/>',
  lamp: '<path d="M34 16h32l16 34H18z" fill="C"/><path d="M47 50h6v32h-6z" fill="D"/><path d="M32 82h36v6H32z" fill="D"/><circle cx="50" cy="53" r="6" fill="#ffe9a8"/>',
  backpack:
    '<path d="M36 26v-6a14 14 0 0 1 28 0v6" fill="none" stroke="D" stroke-width="6"/><rect x="24" y="24" width="52" height="62" rx="16" fill="C"/><rect x="32" y="54" width="36" height="24" rx="6" fill="D"/><path d="M32 40h36" stroke="D" stroke-width="4"/>',
  headphones:
    '<path d="M20 62V50a30 30 0 0 1 60 0v12" fill="none" stroke="D" stroke-width="8"/><rect x="13" y="54" width="20" height="30" rx="9" fill="C"/><rect x="67" y="54" width="20" height="30" rx="9" fill="C"/>',
  shoe: '<path d="M12 40l20-6 12 18 30 8c12 3 14 8 14 16H12z" fill="C"/><path d="M10 74h80v8a3 3 0 0 1-3 3H13a3 3 0 0 1-3-3z" fill="D"/><path d="M44 50l-8 6M52 55l-7 6M60 57l-6 6" stroke="#fff" stroke-width="3"/>',
  book: '<rect x="24" y="14" width="52" height="72" rx="5" fill="C"/><path d="M24 19a5 5 0 0 1 5-5h5v72h-5a5 5 0 0 1-5-5z" fill="D"/><path d="M44 32h22M44 42h15" stroke="#fff" stroke-width="4"/>',
  plant:
    '<path d="M50 62C30 60 24 42 26 26c18 2 24 16 24 36z" fill="#4b9a5c"/><path d="M50 62c-2-24 8-38 26-42 2 22-8 40-26 42z" fill="#62b06f"/><path d="M30 60h40l-6 28H36z" fill="C"/><path d="M28 58h44v8H28z" fill="D"/>',
  chair:
    '<path d="M30 12h36a4 4 0 0 1 4 4v36H26V16a4 4 0 0 1 4-4z" fill="C"/><path d="M22 52h54v10H22z" fill="D"/><path d="M28 62l-5 28M70 62l5 28M36 62v24M62 62v24" stroke="D" stroke-width="5"/>',
  bottle:
    '<rect x="42" y="8" width="16" height="12" rx="3" fill="D"/><path d="M40 20h20v8l8 10v46a8 8 0 0 1-8 8H40a8 8 0 0 1-8-8V38l8-10z" fill="C"/><path d="M32 52h36v18H32z" fill="#fff" opacity=".75"/>',
  watch:
    '<path d="M38 6h24l4 24H34zM34 70h32l-4 24H38z" fill="D"/><circle cx="50" cy="50" r="27" fill="C"/><circle cx="50" cy="50" r="20" fill="#fff"/><path d="M50 37v13l9 6" stroke="D" stroke-width="4" fill="none"/>',
  speaker:
    '<rect x="26" y="10" width="48" height="80" rx="12" fill="C"/><circle cx="50" cy="60" r="17" fill="D"/><circle cx="50" cy="60" r="7" fill="C"/><circle cx="50" cy="29" r="8" fill="D"/>',
  kettle:
    '<path d="M30 40h38l8 44H22z" fill="C"/><path d="M34 40a16 16 0 0 1 30 0M68 48l14-6" fill="none" stroke="D" stroke-width="6"/><path d="M38 26a14 12 0 0 1 22 0" fill="none" stroke="D" stroke-width="6"/><path d="M24 74h50l2 10H22z" fill="D"/>',
  shirt:
    '<path d="M36 16l14 8 14-8 22 14-9 18-9-4v44H32V44l-9 4-9-18z" fill="C"/><path d="M36 16l14 8 14-8c-2 12-8 16-14 16s-12-4-14-16z" fill="D"/>',
  keyboard:
    '<rect x="8" y="32" width="84" height="40" rx="8" fill="C"/><path d="M17 43h66M17 52h66" stroke="D" stroke-width="6" stroke-dasharray="7 4"/><path d="M30 62h40" stroke="D" stroke-width="6"/>',
  ball: '<circle cx="50" cy="50" r="36" fill="C"/><path d="M50 14v72M14 50h72M24 26c14 14 14 34 0 48M76 26c-14 14-14 34 0 48" fill="none" stroke="D" stroke-width="4"/>',
  umbrella:
    '<path d="M10 52a40 40 0 0 1 80 0c-8-7-18-7-27 0-8-7-18-7-26 0-9-7-19-7-27 0z" fill="C"/><path d="M50 12v66a9 9 0 0 0 18 0" fill="none" stroke="D" stroke-width="5"/>',
};

function art(kind, hue) {
  return `<svg viewBox="0 0 100 100">${ART[kind].replaceAll('"C"', `"hsl(${hue} 52% 52%)"`).replaceAll('"D"', `"hsl(${hue} 48% 34%)"`)}</svg>`;
}
