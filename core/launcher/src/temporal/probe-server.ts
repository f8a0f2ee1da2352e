const answerWithinMs = 2_000;

/** @returns whether the server behind this HTTP port answers for the namespace. */
export async function answers(httpPort: number, namespace: string): Promise<boolean> {
  try {
    const address = `http://127.0.0.1:${httpPort}/api/v1/namespaces/${encodeURIComponent(namespace)}`;
    const response = await fetch(address, { signal: AbortSignal.timeout(answerWithinMs) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
