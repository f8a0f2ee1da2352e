import { parentPort } from 'node:worker_threads';
import { readRecord } from './parse-record';

/** The program of the thread that {@link parseRecords} starts: answers the text of an item with what it holds. */
parentPort?.on('message', (text: string) => parentPort?.postMessage(readRecord(text), []));
