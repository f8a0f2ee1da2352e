import type { SearchGroup } from '@gantry/contracts';
import type { CommandContext } from '../../context/command-context';
import { callPlatform, platformAddress } from '../../context/running-platform';
import { withRemedy } from '../../common/with-remedy';
import { table } from '../../terminal/table';

/** `gantry items search <text>` */
export async function searchItems(context: CommandContext, text: string): Promise<number> {
  const { terminal } = context;
  const address = platformAddress(context);
  if (address === undefined) {
    throw withRemedy('A search needs the running platform.', 'Start it with: gantry up');
  }
  const query = new URLSearchParams({ q: text });
  const path = `/api/cms/search?${query.toString()}`;
  const groups = (await callPlatform(context, address, path, {})) as readonly SearchGroup[];
  if (context.json) {
    terminal.printJson(groups);
    return 0;
  }
  if (groups.length === 0) terminal.print('No results');
  else {
    const rows = groups.flatMap(({ type, items, isMore }) => [
      ...items.map(({ id, code, label }) => [type, String(id), code ?? '', label]),
      ...(isMore ? [[type, '…', '', 'more items']] : []),
    ]);
    terminal.print(table(['TYPE', 'ID', 'CODE', 'LABEL'], rows));
  }
  return 0;
}
