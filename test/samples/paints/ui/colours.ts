export const presets = [
  { name: 'Chalk', colour: '#f4f1ea' },
  { name: 'Sage', colour: '#9caf88' },
  { name: 'Slate', colour: '#4f5d75' },
];

/** Half way to white. */
export function lighter(colour: string): string {
  const channels = colour.slice(1).match(/../g) ?? [];
  const mixed = channels.map((hex) => Math.round((parseInt(hex, 16) + 255) / 2));
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}
