import type { Response } from 'express';
import type { SearchReader } from '../../content/read/item-repository';
import { jsonType } from './send';
import { whileRead } from './while-read';

/**
 * Streams `{ "data": […] }` batch by batch and waits whenever the reader does. The head is sent with the first batch,
 * so that an error before it is still answered as one.
 */
export async function streamArray(
  response: Response,
  meta: object | undefined,
  source: (reader: SearchReader) => AsyncIterable<readonly string[]>,
): Promise<void> {
  await whileRead(response, async ({ reader, write }) => {
    let separator = '';
    for await (const batch of source(reader)) {
      if (batch.length === 0) continue;
      const isFirst = separator === '';
      if (isFirst) startJson(response);
      const text = (isFirst ? '{"data":[' : separator) + batch.join(',');
      separator = ',';
      await write(text);
    }
    if (separator === '') startJson(response);
    const head = separator === '' ? '{"data":[' : '';
    response.end(`${head}]${meta === undefined ? '' : `,"meta":${JSON.stringify(meta)}`}}`);
  });
}

function startJson(response: Response): void {
  response.statusCode = 200;
  response.setHeader('Content-Type', jsonType);
}
