import { addressPrefix } from '../images/image-name';
import { cleanFileName } from './file-name';

/** A file as a field refers to it. */
export interface FileAddress {
  /** SHA-256 of the bytes, in hexadecimal digits. */
  readonly hash: string;
  readonly bytes: number;
  /** As it was called when it was uploaded; see {@link cleanFileName}. */
  readonly name: string;
}

/** Before the hash in the address of a file. */
export const filePrefix = `${addressPrefix}files/`;

/** Characters that end the path of an address, or that it is written with. */
const special = /[%?#]/g;

/** The value of a field for the file: `/media/files/<hash>/<bytes>/<name>`, readable and yet an address that a browser opens. */
export function addressOfFile({ hash, bytes, name }: FileAddress): string {
  return `${filePrefix}${hash}/${bytes}/${name.replaceAll(special, (character) => encodeURIComponent(character))}`;
}

/** @returns undefined for what is no address of a file in this very form */
export function parseFileAddress(text: string): FileAddress | undefined {
  const [, hash, bytes, written] = /^\/media\/files\/([0-9a-f]{64})\/([1-9]\d{0,14})\/([^/]+)$/.exec(text) ?? [];
  if (hash === undefined || written === undefined) return undefined;
  const name = decoded(written);
  if (name === undefined || name === '' || cleanFileName(name) !== name) return undefined;
  const address = { hash, bytes: Number(bytes), name };
  return addressOfFile(address) === text ? address : undefined;
}

/** The path of a request below {@link filePrefix}, in which browsers have encoded more than the value has. */
export function readFilePath(path: string): FileAddress | undefined {
  const [hash = '', bytes = '', written = '', ...others] = path.split('/');
  const name = others.length > 0 ? undefined : decoded(written);
  return name === undefined ? undefined : parseFileAddress(addressOfFile({ hash, bytes: Number(bytes), name }));
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
