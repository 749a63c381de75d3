import type { Config, Context } from '@netlify/functions';
import { runScheduledWork } from '../server/jobs.ts';
import { services } from '../server/services.ts';

export default async function everyMinute(_request: Request, context: Context): Promise<void> {
  await runScheduledWork(await services(context));
}

export const config: Config = { schedule: '* * * * *' };
