import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { openLogFile } from '../src/common/log-file';
import { createOutput } from '../src/terminal/output';
import type { Output } from '../src/terminal/output';
import { makeHome, removeHomes } from './support/homes';

afterEach(removeHomes);

const line = (fields: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({ time: '2030-01-02T03:04:05Z', ...fields });

describe('the terminal', () => {
  it('shows the lines of the host as text once it serves, but none about single requests', () => {
    const { output, shown } = open();
    output.showHostLines();
    output.hostLine(line({ level: 30, msg: 'schema is up to date', plugin: 'catalog' }), 'stdout');
    output.hostLine(line({ level: 30, msg: 'request', requestId: 'a' }), 'stdout');
    output.hostLine(line({ level: 50, msg: 'failed', requestId: 'b', err: { message: 'no space left' } }), 'stdout');

    expect(shown()).toMatch(
      /^..:..:.. info {2}schema is up to date {2}plugin=catalog\n..:..:.. error failed {2}no space left {2}requestId=b\n$/,
    );
  });

  it('holds back what the host says while it starts, because the banner says it better', () => {
    const { output, shown } = open();
    output.hostLine(line({ level: 50, msg: 'the plugin beta is not in use' }), 'stdout');
    output.showHostLines();

    expect(shown()).toBe('');
  });

  it('shows what was held back when the start meets a failure', () => {
    const { output, shown } = open();
    output.hostLine(line({ level: 40, msg: 'memory is short' }), 'stdout');
    output.logger.error('the host ended unexpectedly');

    expect(shown()).toMatch(/memory is short\n.*the host ended unexpectedly\n$/);
  });

  it('shows what plugins print by themselves at once and as it is', () => {
    const { output, shown } = open();
    output.hostLine('hello from a plugin', 'stdout');

    expect(shown()).toBe('hello from a plugin\n');
  });

  it('shows the beginning of a line that is very long', () => {
    const { output, shown } = open();
    output.hostLine('x'.repeat(30_000), 'stdout');

    expect(shown()).toMatch(/^x{2000} …\n$/);
  });

  it('is not there when the output goes to a file: then every line is JSON', () => {
    const { output, shown } = open({ readable: false });
    output.hostLine('hello from a plugin', 'stderr');
    output.logger.info('started', { pid: 1 });

    const lines = shown()
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text) as unknown);
    expect(lines).toMatchObject([
      { level: 40, name: 'host', stream: 'stderr', msg: 'hello from a plugin' },
      { level: 30, name: 'launcher', msg: 'started', pid: 1 },
    ]);
  });
});

describe('the log file', () => {
  it('begins again when it has grown beyond 10 MB, and the old one is kept', async () => {
    const home = makeHome();
    mkdirSync(join(home, 'logs'), { recursive: true });
    const file = join(home, 'logs/host.log');
    writeFileSync(file, 'x'.repeat(10 * 1024 * 1024 + 1));
    writeFileSync(`${file}.1`, 'older');
    const { output } = open({ file });
    output.logger.info('first line');
    await output.close();

    expect(readFileSync(file, 'utf8')).toContain('first line');
    expect(readFileSync(`${file}.1`, 'utf8')).toMatch(/^x+$/);
    expect(readFileSync(`${file}.2`, 'utf8')).toBe('older');
    expect(existsSync(`${file}.3`)).toBe(false);
  });

  it('begins again while it is written, too, and keeps three older ones', async () => {
    const file = join(makeHome(), 'logs/host.log');
    const log = openLogFile(file, 100);
    for (let count = 0; count < 60; count += 1) log.write(`line ${count} of those that fill the file`);
    await log.close();

    const files = readdirSync(dirname(file)).toSorted();
    expect(files).toEqual(['host.log', 'host.log.1', 'host.log.2', 'host.log.3']);
    for (const name of files) expect(statSync(join(dirname(file), name)).size).toBeLessThan(150);
    expect(readFileSync(`${file}.1`, 'utf8')).toContain('line 59 of');
  });

  it('is not flooded by the host: what is too much is counted, and errors are still written', async () => {
    const file = join(makeHome(), 'logs/host.log');
    const { output } = open({ file });
    for (let count = 0; count < 50_000; count += 1) output.hostLine(`boat ${count}`, 'stdout');
    output.hostLine('{"level":50,"msg":"sunk"}', 'stdout');
    await output.close();

    const lines = readFileSync(file, 'utf8').trim().split('\n');
    expect(lines).toHaveLength(2_002);
    expect(lines.at(-2)).toContain('sunk');
    expect(lines.at(-1)).toContain('48000 lines of the host were dropped');
  });

  it('that cannot be written is named, with what to do', () => {
    const file = join(makeHome(), 'logs/host.log');
    mkdirSync(file, { recursive: true });

    expect(() => open({ file })).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(/host\.log .*\(EISDIR\)/),
        remedy: expect.stringContaining('GANTRY_HOME'),
      }),
    );
  });

  it('leaves out what LOG_LEVEL excludes', async () => {
    const file = join(makeHome(), 'logs/host.log');
    const { output } = open({ file, level: 'warn' });
    output.logger.info('too fine');
    output.logger.warn('worth it');
    await output.close();

    expect(readFileSync(file, 'utf8')).toMatch(/^\{.*"worth it"\}\n$/);
  });
});

function open({ file = join(makeHome(), 'logs/host.log'), readable = true, level = 'info' } = {}): {
  readonly output: Output;
  shown(): string;
} {
  const stdout = new PassThrough();
  const output = createOutput({ logFile: file, level, stdout, readable, colour: false });
  return { output, shown: () => String(stdout.read() ?? '') };
}
