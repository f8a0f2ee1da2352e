import { command, group } from './command';
import { flag, word } from './options';

const changes = () => import('../commands/changes.js');

/** `gantry changes …` */
export const changesCommand = group('changes', 'Manage the retention of the history of items', [
  command({
    command: 'retention',
    describe: 'Show or set the number of months for which changes of items are kept',
    builder: (parser) =>
      parser
        .option('months', word('number of months, or none to keep all changes'))
        .option('type', word('item type that gets a shorter retention')),
    run: async (context, { type, months }) => (await changes()).retainChanges(context, { type, months }),
  }),
  command({
    command: 'erase <type> <id>',
    describe: 'Erase the values of an item from its history, such as personal data',
    builder: (parser) =>
      parser
        .positional('type', { type: 'string', demandOption: true, describe: 'item type' })
        .positional('id', { type: 'string', demandOption: true, describe: 'id of the item; it may be deleted' })
        .option('field', word('erase the values of this field only'))
        .option('yes', flag('confirm the erasure')),
    run: async (context, { type, id, field, yes }) => (await changes()).eraseHistory(context, { type, id, field, yes }),
  }),
]);
