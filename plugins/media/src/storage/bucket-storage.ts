import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import type { BucketConfig } from '../config';
import { fileNameOf, storedMediaType } from '../images/image-name';
import type { ImageStorage, StoredName } from './image-storage';
import { storageFailure } from './storage-failure';

/** Milliseconds for a connection, and for silence on it. */
const timeouts = { connectionTimeout: 3_000, requestTimeout: 15_000, throwOnRequestTimeout: true } as const;

/** Keeps the originals in a bucket of an S3-compatible service. The SDK is loaded only where a bucket is configured. */
export async function createBucketStorage(config: BucketConfig): Promise<ImageStorage> {
  const { GetObjectCommand, HeadBucketCommand, HeadObjectCommand, PutObjectCommand, S3Client } =
    await import('@aws-sdk/client-s3');
  const client: S3Client = new S3Client(clientOptions(config));
  const title = `the bucket ${config.bucket}`;
  const keyOf = (name: StoredName) => ({ Bucket: config.bucket, Key: `${config.prefix}${fileNameOf(name)}` });
  const isStored = async (image: StoredName): Promise<boolean> => {
    const found = await orMissing(client.send(new HeadObjectCommand(keyOf(image))));
    return found !== undefined;
  };
  return {
    title,
    async store(image, { path, bytes }) {
      try {
        if (await isStored(image)) return false;
        const content = { Body: createReadStream(path), ContentLength: bytes, ContentType: storedMediaType(image) };
        await client.send(new PutObjectCommand({ ...keyOf(image), ...content }));
        return true;
      } catch (error) {
        throw storageFailure(title, error);
      }
    },
    async open(image, range) {
      try {
        const part = range === undefined ? {} : { Range: `bytes=${range.start}-${range.end}` };
        const found = await orMissing(client.send(new GetObjectCommand({ ...keyOf(image), ...part })));
        if (found?.Body === undefined) return undefined;
        const [, total] = /\/(\d+)$/.exec(found.ContentRange ?? '') ?? [];
        // In Node.js the SDK always gives a Readable.
        return { bytes: Number(total ?? found.ContentLength ?? 0), content: found.Body as Readable };
      } catch (error) {
        throw storageFailure(title, error);
      }
    },
    async assertReachable() {
      await client.send(new HeadBucketCommand({ Bucket: config.bucket })).catch((error: unknown) => {
        throw storageFailure(title, error);
      });
    },
  };
}

function clientOptions({ endpoint, region, credentials }: BucketConfig) {
  return {
    region,
    maxAttempts: 2,
    requestHandler: timeouts,
    // Servers that only follow Amazon's interface know neither its newest checksums nor a host name for each bucket.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    ...(credentials === undefined ? {} : { credentials }),
  } as const;
}

async function orMissing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    if (name === 'NotFound' || name === 'NoSuchKey') return undefined;
    throw error;
  }
}
