import { site } from '../../site.config.ts';

/** Heading above the steps of the demo. If no video is configured, there is nothing to transcribe. */
export const transcriptTitle = site.demoVideo ? 'Transcript of the demo' : 'What the demo shows, step by step';
