import { fetched } from '../../lib/fetched.tsx';

/** Shows two versions of a post side by side. The post dialog preloads this code, so the comparison works offline. */
export const Comparison = fetched(() => import('./ComparedTexts.tsx'));
