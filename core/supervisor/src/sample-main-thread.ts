import { unlessAborted } from '@gantry/core-common';
import { WebSocket } from 'ws';
import { z } from 'zod';

const eventSchema = z.discriminatedUnion('method', [
  z.object({
    method: z.literal('Debugger.scriptParsed'),
    params: z.object({ scriptId: z.string(), url: z.string() }),
  }),
  z.object({
    method: z.literal('Debugger.paused'),
    params: z.object({
      callFrames: z.array(
        z.object({
          functionName: z.string(),
          location: z.object({ scriptId: z.string(), lineNumber: z.number(), columnNumber: z.number().default(0) }),
        }),
      ),
    }),
  }),
]);

/**
 * The stack of the main thread of a blocked process, written as `Error.stack` is. The process stays paused, with its
 * inspector open: it has to be ended next.
 * @param openInspector makes the process open its inspector, and resolves with its WebSocket address
 * @returns undefined when the process does not answer in time, for example because it is blocked outside of JavaScript
 */
export async function sampleMainThread(
  openInspector: () => Promise<string>,
  timeoutMs: number,
): Promise<string | undefined> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const address = await unlessAborted(openInspector(), signal);
    return await pauseMainThread(address, signal);
  } catch {
    return undefined;
  }
}

function pauseMainThread(address: string, signal: AbortSignal): Promise<string> {
  const socket = new WebSocket(address);
  // Call frames name scripts by number only.
  const scripts = new Map<string, string>();
  const stack = new Promise<string>((resolve, reject) => {
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('The inspector has closed the connection.')));
    socket.once('open', () => {
      for (const [id, method] of ['Debugger.enable', 'Debugger.pause'].entries()) {
        socket.send(JSON.stringify({ id, method }));
      }
    });
    socket.on('message', (message: Buffer) => {
      const event = eventSchema.safeParse(JSON.parse(message.toString('utf8'))).data;
      if (event?.method === 'Debugger.scriptParsed') scripts.set(event.params.scriptId, event.params.url);
      if (event?.method === 'Debugger.paused') resolve(writeStack(event.params.callFrames, scripts));
    });
  });
  return unlessAborted(stack, signal).finally(() => socket.terminate());
}

type CallFrames = Extract<z.infer<typeof eventSchema>, { method: 'Debugger.paused' }>['params']['callFrames'];

function writeStack(frames: CallFrames, scripts: ReadonlyMap<string, string>): string {
  const lines = frames.map(({ functionName, location: { scriptId, lineNumber, columnNumber } }) => {
    const position = `${scripts.get(scriptId) ?? ''}:${lineNumber + 1}:${columnNumber + 1}`;
    return `    at ${functionName || '<anonymous>'} (${position})`;
  });
  return lines.join('\n');
}
