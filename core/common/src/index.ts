export { codeOf, describeError, isError, messageOf } from './errors';
export { acquireFileLock, withFileLock } from './file-lock';
export type { FileLock, LockHolder } from './file-lock';
export { readIfThere, syncFolder, writeAtomically } from './files';
export { findRepeated } from './find-repeated';
export { silentLogger } from './logger';
export type { Logger } from './logger';
export {
  endProcess,
  isAlive,
  mainThreadBusyMs,
  ownReference,
  referenceOf,
  residentBytes,
  sendSignal,
  untilGone,
} from './processes';
export type { EndStep, ProcessReference } from './processes';
export { backoff, endsWithin, pause, poll, unlessAborted, whenAborted, withTimeout } from './timing';
export { truncate } from './truncate';
