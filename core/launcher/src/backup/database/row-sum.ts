import { hash } from 'node:crypto';

/** The checksum of the rows of a table, in any order. */
export interface TableSum {
  readonly rows: number;
  /** Sum of the first 48 bits of the SHA-256 of every row in COPY's text format, modulo 2^48. */
  readonly sum: number;
}

/** Sums the rows of a COPY stream, which may arrive in pieces of any size. */
export interface RowSum {
  update(chunk: Buffer): void;
  result(): TableSum;
}

const lineFeed = 0x0a;
const hashedBytes = 6;
const modulus = 2 ** 48;

/** COPY's text format escapes line feeds inside of values, so that every line feed ends a row. */
export function createRowSum(): RowSum {
  let rows = 0;
  let sum = 0;
  let begun: Buffer[] = [];
  const add = (row: Buffer): void => {
    rows += 1;
    sum = (sum + hash('sha256', row, 'buffer').readUIntBE(0, hashedBytes)) % modulus;
  };
  return {
    update(chunk) {
      let from = 0;
      for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, from)) {
        const row = chunk.subarray(from, end);
        add(begun.length === 0 ? row : Buffer.concat([...begun, row]));
        begun = [];
        from = end + 1;
      }
      if (from < chunk.length) begun.push(Buffer.from(chunk.subarray(from)));
    },
    result: () => ({ rows, sum }),
  };
}
