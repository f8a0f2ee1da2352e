import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { wheelOf, type WheelProgram } from '../../src/wheels/wheel-program';

export interface MadeWheel {
  readonly program: WheelProgram;
  readonly fileName: string;
  readonly content: Buffer;
}

export interface ArchiveEntry {
  readonly name: string;
  readonly content: string;
  /** Type and rights as in a file system of Unix. */
  readonly mode?: number;
}

type Named = Pick<WheelProgram, 'name' | 'distribution' | 'version'>;

/** Makes the wheel of a program for this system, which has the right sum. */
export function makeWheel(named: Named, content: string, others: readonly ArchiveEntry[] = []): MadeWheel {
  const { name, distribution, version } = named;
  const entry = { name: `${distribution}-${version}.data/scripts/${name}`, content };
  return wheelWith(named, [...others, entry]);
}

export function wheelWith(named: Named, entries: readonly ArchiveEntry[]): MadeWheel {
  const archive = makeArchive(entries);
  const system = `${process.platform}-${process.arch}`;
  const program = { ...named, sums: { [system]: createHash('sha256').update(archive).digest('hex') } };
  return { program, fileName: wheelOf(program)?.fileName ?? '', content: archive };
}

/** A ZIP file without compression. */
function makeArchive(entries: readonly ArchiveEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const name = Buffer.from(entry.name);
    const content = Buffer.from(entry.content);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt32LE(crc32(content), 10);
    fields.writeUInt32LE(content.length, 14);
    fields.writeUInt32LE(content.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const more = Buffer.alloc(14);
    more.writeUInt32LE(((entry.mode ?? 0o100755) << 16) >>> 0, 6);
    more.writeUInt32LE(offset, 10);
    directory.push(signature(0x0201_4b50), Buffer.from([20, 3]), fields, more, name);
    const local = [signature(0x0403_4b50), fields, name, content];
    parts.push(...local);
    offset += Buffer.concat(local).length;
  }
  const size = Buffer.concat(directory).length;
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(size, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, ...directory, signature(0x0605_4b50), end]);
}

function signature(number: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(number, 0);
  return bytes;
}
