import { site } from '../../site.config.ts';

/** Without a video there is nothing to transcribe, so the title introduces steps that readers can follow. */
export const transcriptTitle = site.demoVideo ? 'Transcript of the demo' : 'What the demo shows, step by step';
