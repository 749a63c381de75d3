import { parentPort, workerData } from 'node:worker_threads';
import { renderFiles, type RenderFilesData } from './render-files.ts';

parentPort!.postMessage(await renderFiles(workerData as RenderFilesData));
