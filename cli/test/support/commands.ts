import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const project = join(__dirname, '..', '..', '..');
/** Many runs in a process fill a small heap often. */
const heapFlags = ['--max-semi-space-size=16', '--min-semi-space-size=16'];

export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly input?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Runs the built command with its input, output and exit code, in a process that is there for all runs. */
export interface Commands {
  run(words: readonly string[], options?: RunOptions): Promise<Run>;
  close(): Promise<void>;
}

/**
 * A command takes a quarter of the processor time that it takes as a process. Each has to leave nothing that would keep a process
 * from ending. What only a process shows, such as how it is interrupted and what plugins print, is for runGantry.
 */
export function openCommands(): Commands {
  let child: ChildProcess | undefined;
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(words, { input = '', environment } = {}) {
      const answer = last.then(() => {
        child ??= fork(join(__dirname, 'command-process.cjs'), { cwd: project, execArgv: heapFlags }).once(
          'exit',
          () => (child = undefined),
        );
        return ask(child, { words, input, environment: { ...process.env, ...environment } });
      });
      last = answer.catch(() => undefined);
      return answer;
    },
    async close() {
      if (child === undefined) return;
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

function ask(child: ChildProcess, asked: object): Promise<Run> {
  return new Promise((resolve, reject) => {
    const fail = (code: number | null): void => reject(new Error(`The process of the commands ended with ${code}.`));
    child.once('exit', fail);
    child.once('message', (answer) => {
      child.off('exit', fail);
      const { left, ...run } = answer as Run & { readonly left: readonly string[] };
      if (left.length === 0) resolve(run);
      else reject(new Error(`The command does not end, because it has left ${left.join(', ')}:\n${run.stderr}`));
    });
    child.send(asked);
  });
}
