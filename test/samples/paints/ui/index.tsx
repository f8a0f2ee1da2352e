import { defineUi } from '@gantry/ui';
import { lighter } from './colours';
import { ColourCell, ColourField } from './colour-field';
import { PalettePage } from './palette-page';
import { RoomsPage } from './rooms-page';

export default defineUi((host) => ({
  pages: {
    '': () => <PalettePage host={host} />,
    rooms: ({ rest }) => <RoomsPage host={host} room={rest} />,
  },
  fields: { 'paint.colour': ColourField },
  cells: { 'paint.colour': ColourCell },
  itemActions: {
    paint: {
      async lighten({ item: { values } }) {
        const name = `${values['name']}, lighter`;
        await host.items.create('paint', { name, colour: lighter(String(values['colour'])) });
        return `${name} is mixed`;
      },
    },
  },
}));
