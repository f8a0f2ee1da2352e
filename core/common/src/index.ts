export { codeOf, describeError, isError, messageOf } from './errors';
export { acquireFileLock, withFileLock } from './file-lock';
export type { FileLock, LockHolder } from './file-lock';
export { readIfThere, syncFolder, writeAtomically } from './files';
export { findRepeated } from './text/find-repeated';
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
export { compareDecimals, formatDecimal, isNumeral, maxDigits, parseDecimal, wholeDigits } from './text/decimal-text';
export type { Decimal } from './text/decimal-text';
export { truncate } from './text/truncate';
export { ConfigError } from './config-error';
export { deepFreeze } from './deep-freeze';
export { describeHold, endHold, readHold, writeHold } from './hold';
export type { Hold } from './hold';
export {
  exactJson,
  isJsonObject,
  JsonTextError,
  numberText,
  parseBody,
  parseJson,
  parseMarkedJson,
  parseWrittenJson,
  withExactNumbers,
  withPlainNumbers,
} from './text/json';
export type { JsonObject, MarkedJson } from './text/json';
export { limitStream, maxLines } from './limit-stream';
export { lineOfText } from './text/line-of-text';
export { onceFor } from './once-for';
export { isPackageName } from './text/package-name';
export { count, flag, instant, time } from './text/route-schemas';
export { orderRemovals } from './removal-order';
export type { InnerReference, RemovalStep } from './removal-order';
export { isSameText } from './same-text';
export { createSecretBox, reseal } from './secret-box';
export type { SecretBox } from './secret-box';
export { storedText } from './text/stored-text';
export { isStoredTime } from './text/stored-time';
export { expectation } from './text/zod-texts';
