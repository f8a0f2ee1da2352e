const steel = '#e8edf0';
const dark = '#3c474f';
const wood = '#b98a55';

/** Drawing of each tool: the colour of the ground, and shapes in a square of 100. */
const drawings = [
  // Spade
  [
    '#dcebd9',
    `<rect x="46" y="12" width="8" height="46" fill="${wood}"/><rect x="36" y="8" width="28" height="8" rx="4" fill="${dark}"/><path d="M34 54h32v18q0 14-16 20q-16-6-16-20z" fill="#7d8b94"/>`,
  ],
  // Trowel
  [
    '#f3e3d3',
    `<rect x="45" y="10" width="10" height="34" rx="5" fill="${wood}"/><rect x="48" y="42" width="4" height="14" fill="${dark}"/><path d="M36 54h28q4 24-14 38q-18-14-14-38z" fill="#8c979f"/>`,
  ],
  // Watering can
  [
    '#d9e8f5',
    '<path d="M30 42h36v40H30z" fill="#2f7fae"/><path d="M66 62l20-22l6 5l-26 30z" fill="#2f7fae"/><path d="M30 48q-18 2-16 16t16 10" fill="none" stroke="#24648a" stroke-width="6"/><path d="M36 42q12-24 26 0" fill="none" stroke="#24648a" stroke-width="6"/>',
  ],
  // Secateurs
  [
    '#f6dde0',
    `<path d="M50 50q-20-16-14-38q16 8 22 34z" fill="#8c979f"/><path d="M50 50q14-10 10-30q-8 4-16 26z" fill="${dark}"/><path d="M46 52L30 90" stroke="#c43b4a" stroke-width="10" stroke-linecap="round"/><path d="M54 52l16 38" stroke="#c43b4a" stroke-width="10" stroke-linecap="round"/><circle cx="50" cy="50" r="5" fill="${steel}"/>`,
  ],
  // Gloves
  [
    '#efe6d6',
    '<path d="M34 88V52l-10-14q4-8 12 2l4 6V22q5-8 10 0v-6q5-8 10 0v8q5-6 9 1v43q-3 12-6 20z" fill="#c58b3f"/><rect x="33" y="80" width="32" height="12" rx="3" fill="#8a5a24"/>',
  ],
  // Twine
  [
    '#e4efd6',
    `<ellipse cx="50" cy="24" rx="26" ry="8" fill="${wood}"/><rect x="32" y="24" width="36" height="52" fill="#8aa24a"/><path d="M32 34l36 8M32 46l36 8M32 58l36 8" stroke="#6d8337" stroke-width="3"/><ellipse cx="50" cy="78" rx="26" ry="8" fill="${wood}"/>`,
  ],
  // Rake
  [
    '#e6e8ec',
    `<path d="M78 10L40 66" stroke="${wood}" stroke-width="7" stroke-linecap="round"/><path d="M16 62l44 30" stroke="${dark}" stroke-width="7" stroke-linecap="round"/><path d="M18 64l-6 12M28 70l-6 12M38 77l-6 12M48 84l-6 12" stroke="${dark}" stroke-width="4" stroke-linecap="round"/>`,
  ],
  // Wheelbarrow
  [
    '#d8ece4',
    `<path d="M22 36h52l-10 30H34z" fill="#1f7a5c"/><path d="M70 40l22-8" stroke="${wood}" stroke-width="6" stroke-linecap="round"/><path d="M62 66l10 22" stroke="${dark}" stroke-width="5"/><circle cx="30" cy="78" r="12" fill="${dark}"/><circle cx="30" cy="78" r="5" fill="${steel}"/>`,
  ],
  // Seed tray
  [
    '#e7e0f3',
    '<path d="M14 56h72l-8 28H22z" fill="#4d3f78"/><path d="M30 56q-8-16-2-22q8 8 4 22M50 56q-8-22 0-30q8 8 2 30M70 56q-2-14 6-20q4 10-4 20" fill="#4f9a4a"/>',
  ],
  // Cold frame
  [
    '#d9eef2',
    `<path d="M12 50l20-24h56L72 50z" fill="#aedbe6" stroke="${dark}" stroke-width="3"/><path d="M12 50h60v34H12z" fill="${wood}"/><path d="M72 50l16-24v32L72 84z" fill="#99703f"/><path d="M42 50l16-24" stroke="${dark}" stroke-width="3"/>`,
  ],
];

/** @returns SVG of 400 by 300 pixels */
export function drawingOf(index) {
  const [ground, shapes] = drawings[index % drawings.length];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300" viewBox="0 0 400 300"><rect width="400" height="300" fill="${ground}"/><g transform="translate(80 30) scale(2.4)">${shapes}</g></svg>`;
}
