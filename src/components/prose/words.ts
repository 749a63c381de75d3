import { site } from '../../site.config.ts';

/** Heading above the steps of the demo. Without a configured video, the heading must not promise a transcript. */
export const transcriptTitle = site.demoVideo ? 'Transcript of the demo' : 'What the demo shows, step by step';
