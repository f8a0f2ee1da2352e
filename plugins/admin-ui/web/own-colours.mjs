/**
 * A plugin for Vite: the variables of the component library without its palette. The pages have their own colours
 * (src/tokens.css, src/library.css), and every page would load fourteen that none uses.
 */
export function ownColours() {
  return {
    name: 'own-colours',
    enforce: 'pre',
    transform: (code, id) => (id.includes(file) ? code.replace(palette, '') : undefined),
  };
}

const file = '/@mantine/core/styles/default-css-variables.layer.css';
const names = 'dark|gray|red|pink|grape|violet|indigo|blue|cyan|teal|green|lime|yellow|orange';
const palette = new RegExp(`^ *--mantine-color-(${names})-[^;]*;\\n`, 'gm');
