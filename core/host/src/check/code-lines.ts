import type { PluginCheckLine } from '@gantry/contracts';
import { linesOfProblems } from './check-lines';
import type { CheckFindings } from './check-messages';

/** What loading and registering the code came to. */
export function codeLines({ problems, notes, registered }: CheckFindings): readonly PluginCheckLine[] {
  if (problems.length > 0) return linesOfProblems(problems);
  const brings = registered.length === 0 ? 'nothing' : registered.join(', ');
  return [
    {
      part: 'code',
      outcome: 'ok',
      message: `It was loaded in a process of its own and registered what its manifest says: ${brings}`,
    },
    ...notes.map((message): PluginCheckLine => ({ part: 'code', outcome: 'warning', message })),
  ];
}
