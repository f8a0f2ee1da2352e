import { command, group } from './command';
import { flag, word } from './options';

const changes = () => import('../commands/changes.js');

/** `gantry changes …` */
export const changesCommand = group('changes', 'Decide how long the history of items is kept', [
  command({
    command: 'retention',
    describe: 'Show or set for how many months changes of items are kept',
    builder: (parser) =>
      parser
        .option('months', word('months that changes are kept, or none to keep them'))
        .option('type', word('item type with a shorter retention than the others')),
    run: async (context, { type, months }) => (await changes()).retainChanges(context, { type, months }),
  }),
  command({
    command: 'erase <type> <id>',
    describe: 'Remove from the history what an item held, such as the data of a person',
    builder: (parser) =>
      parser
        .positional('type', { type: 'string', demandOption: true, describe: 'item type' })
        .positional('id', { type: 'string', demandOption: true, describe: 'id of the item; it may be deleted' })
        .option('field', word('erase the values of this field only'))
        .option('yes', flag('confirm it')),
    run: async (context, { type, id, field, yes }) => (await changes()).eraseHistory(context, { type, id, field, yes }),
  }),
]);
