/** This file imports nothing: an old Node.js refuses to load files that import what it does not have. */

/** Versions that the build of the pages accepts (`engines` of vite and rolldown in package-lock.json). */
const oldest = { 20: 19, 22: 12 };

/** @returns {string | undefined} why a version of Node.js cannot run this repository, and which can */
export function nodeRefusal(version) {
  const [major, minor] = version.split('.').map(Number);
  if (major > 22 || minor >= (oldest[major] ?? Infinity)) return undefined;
  return `Gantry needs Node.js 20.19, 22.12 or newer; this is ${version}. Install the current LTS, Node.js 26 (https://nodejs.org), and start again.`;
}

/** Ends this process with a line that says why when its Node.js is too old. */
export function assertNode(command) {
  const refusal = nodeRefusal(process.versions.node);
  if (refusal === undefined) return;
  console.error(`${command}: ${refusal}`);
  process.exit(1);
}
