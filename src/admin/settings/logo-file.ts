import { logoTypes } from '../../domain/logo.ts';
import { megabytesFor, uploadLimits } from '../../domain/upload.ts';

/**
 * Where the logo is uploaded: in the dashboard's Settings tab or on the settings page. The two screens show different
 * text (docs/product.md#logo).
 */
export type LogoScreen = 'tab' | 'page';

interface Refused {
  readonly title: string;
  readonly description: string;
}

const wrongType: Record<LogoScreen, Refused> = {
  tab: { title: 'Invalid file type', description: 'Please select an image file (JPG, PNG, GIF, SVG, WebP)' },
  page: { title: 'Invalid File Type', description: 'Please select a valid image file (JPG, PNG, GIF, SVG, or WebP)' },
};
const tooLarge: Refused = {
  title: 'File Too Large',
  description: `Please select a file smaller than ${megabytesFor('logo')}MB`,
};

/** Returns why a file cannot become the logo; null if it can. The server also checks the file's content. */
export function logoRefusal({ type, size }: Pick<File, 'type' | 'size'>, screen: LogoScreen): Refused | null {
  const typed = screen === 'tab' ? type.startsWith('image/') : logoTypes.has(type);
  if (!typed) return wrongType[screen];
  return size > uploadLimits.logo ? tooLarge : null;
}

/** Formats a size in MB with two decimals. */
export function megabytesText(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(2)} MB`;
}
