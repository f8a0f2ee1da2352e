import type { CrashAttribution } from '@gantry/contracts';
import type { Logger } from '@gantry/plugin-api';
import { describeThrown, type HostProcess } from './host-process';

export interface CrashReportOptions {
  readonly host: HostProcess;
  readonly logger: Logger;
  /** Asked where the error arrives, so that its asynchronous context is known. */
  readonly attribute: (error: unknown) => CrashAttribution | undefined;
}

/** For the last message to the launcher. */
const flushTimeoutMs = 1_000;

/** Ends the process because of this error. @param known the plugin at fault, where that is known already */
export type ReportCrash = (error: unknown, known?: CrashAttribution) => void;

/**
 * Ends the process on an uncaught error or rejection, and first reports the plugin that it came from. A callback and
 * not a listener: listeners are removed by `process.removeAllListeners()`.
 */
export function reportCrashes({ host, logger, attribute }: CrashReportOptions): ReportCrash {
  let isReported = false;
  const report: ReportCrash = (error, known): void => {
    // A broken plugin may keep throwing until the process has ended.
    if (isReported) return;
    isReported = true;
    const end = (): void => host.exit(1);
    host.after(flushTimeoutMs, end);
    const attribution = known ?? attempt(() => attribute(error));
    const described = attempt(() => describeThrown(error)) ?? 'an error that cannot be described';
    host.send({ kind: 'crash', error: described, ...(attribution === undefined ? {} : { attribution }) }, end);
    attempt(() =>
      logger.error({ err: error, ...attribution }, `The host ends because of an uncaught error: ${described}`),
    );
  };
  process.setUncaughtExceptionCaptureCallback((error) => report(error));
  // A second callback would replace this one.
  process.setUncaughtExceptionCaptureCallback = () => {};
  return report;
}

/** The report is sent, whatever a plugin has thrown or replaced. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
