import type { CommandContext } from '../../context/command-context';
import { callRoute } from '../../context/running-platform';
import { table } from '../../terminal/table';

/** `gantry items search <text>` */
export async function searchItems(context: CommandContext, text: string): Promise<number> {
  const { terminal } = context;
  const { data: groups } = await callRoute('POST', '/api/cms/search', { query: { q: text } }, context);
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
