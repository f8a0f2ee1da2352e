import { dropArchives } from '@gantry/host';
import { interruptible } from '../../common/interruption';
import { withDatabase } from '../../context/with-database';
import type { CommandContext } from '../../context/command-context';

/** `gantry plugins drop-archives`: hosts of this version have unpacked the archives of earlier ones when they started. */
export async function dropPluginArchives(context: CommandContext): Promise<number> {
  const dropped = await interruptible('Nothing was dropped.', (signal) =>
    withDatabase(context, 'gantry plugins drop-archives', signal, ({ databaseUrl }) => dropArchives(databaseUrl), {
      mustExist: true,
    }),
  );
  if (context.json) context.terminal.printJson({ dropped });
  else context.terminal.print(dropped ? 'The archives were dropped.' : 'The database has no package archives.');
  return 0;
}
