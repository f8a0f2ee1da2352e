export type OnProgress = (bytes: number, total: number | undefined) => void;

/**
 * Runs a download and writes every five seconds how much has arrived, so that a person sees its progress.
 * @param subject begins the lines, for example `Temporal is being downloaded`
 * @param download calls its argument with the bytes that have arrived, and those of the whole where they are known
 */
export async function withDownloadProgress<T>(
  subject: string,
  write: (line: string) => void,
  download: (onProgress: OnProgress) => Promise<T>,
  intervalMs = 5_000,
): Promise<T> {
  let arrived = '0';
  const timer = setInterval(() => write(`${subject}: ${arrived} MB`), intervalMs);
  try {
    return await download((bytes, total) => {
      arrived = total === undefined ? megabytes(bytes) : `${megabytes(bytes)} of ${megabytes(total)}`;
    });
  } finally {
    clearInterval(timer);
  }
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(0);
}
