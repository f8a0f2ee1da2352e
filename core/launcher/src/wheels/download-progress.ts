const intervalMs = 5_000;

/**
 * Progress of a download as lines, so that a person sees that a long one goes on.
 * @param subject begins the lines, for example `Temporal is being downloaded`
 */
export function createDownloadProgress(
  subject: string,
  write: (line: string) => void,
): (bytes: number, total: number | undefined) => void {
  let writtenAt = performance.now();
  return (bytes, total) => {
    if (performance.now() - writtenAt < intervalMs) return;
    writtenAt = performance.now();
    const whole = total === undefined ? '' : ` of ${megabytes(total)}`;
    write(`${subject}: ${megabytes(bytes)}${whole} MB`);
  };
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(0);
}
