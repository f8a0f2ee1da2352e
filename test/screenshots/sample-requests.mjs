/**
 * Sends requests to a platform with the token of somebody.
 * @returns `send`, which resolves with the data of the answer and rejects for a refusal, and `status`, which resolves with the status
 */
export function createSender(address, token) {
  const request = (method, path, body, headers = {}) =>
    fetch(`${address}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: Buffer.isBuffer(body) ? body : JSON.stringify(body) }),
    });
  return {
    async send(...what) {
      const answer = await request(...what);
      const { data, error } = await answer.json();
      if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}: ${JSON.stringify(error)}`);
      return data;
    },
    status: async (...what) => (await request(...what)).status,
  };
}

export async function until(isSo) {
  const deadline = Date.now() + 60_000;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`What the pictures need did not happen within a minute: ${isSo}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
