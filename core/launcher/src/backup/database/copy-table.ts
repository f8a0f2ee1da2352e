import { createReadStream, createWriteStream } from 'node:fs';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { ClientBase } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { createFileSum, passing } from '../file-sum';
import type { FileSum } from '../file-sum';
import { createRowSum } from './row-sum';
import type { TableSum } from './row-sum';

/** A table and those of its columns that are stored: generated ones are computed again. */
export interface TableColumns {
  readonly schema: string;
  readonly name: string;
  readonly columns: readonly string[];
}

/** Writes the rows of a table, as the transaction of the client sees them, to a compressed file. */
export async function dumpTable(
  client: ClientBase,
  table: TableColumns,
  file: string,
  signal: AbortSignal,
): Promise<TableSum & FileSum> {
  const rows = createRowSum();
  const stored = createFileSum();
  await pipeline(
    client.query(copyTo(`COPY ${target(table)} TO STDOUT`)),
    passing((chunk) => rows.update(chunk)),
    createGzip({ level: 1 }),
    passing((chunk) => stored.update(chunk)),
    createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }),
    { signal },
  );
  return { ...rows.result(), ...stored.result() };
}

/** Appends the rows of a file to a table. */
export async function loadTable(
  client: ClientBase,
  table: TableColumns,
  file: string,
  signal: AbortSignal,
): Promise<void> {
  await pipeline(createReadStream(file), createGunzip(), client.query(copyFrom(`COPY ${target(table)} FROM STDIN`)), {
    signal,
  });
}

/** The rows of the table now, as a sum. */
export async function sumTable(client: ClientBase, table: TableColumns, signal: AbortSignal): Promise<TableSum> {
  const rows = createRowSum();
  await pipeline(client.query(copyTo(`COPY ${target(table)} TO STDOUT`)), sink(rows.update), { signal });
  return rows.result();
}

/** The rows in a file of {@link dumpTable}, as a sum. @throws the system's error when it cannot be read or unpacked */
export async function sumTableFile(file: string, signal: AbortSignal): Promise<TableSum & FileSum> {
  const rows = createRowSum();
  const stored = createFileSum();
  await pipeline(
    createReadStream(file),
    passing((chunk) => stored.update(chunk)),
    createGunzip(),
    sink(rows.update),
    { signal },
  );
  return { ...rows.result(), ...stored.result() };
}

function sink(consume: (chunk: Buffer) => void): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      consume(chunk);
      done();
    },
  });
}

function target({ schema, name, columns }: TableColumns): string {
  const list = columns.length === 0 ? '' : ` (${columns.map(quote).join(', ')})`;
  return `${quote(schema)}.${quote(name)}${list}`;
}

/** An identifier for SQL. */
export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
