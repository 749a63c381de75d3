import { logoTypes } from '../../domain/logo.ts';
import { uploadLimits } from '../../domain/upload.ts';

/** Where the logo is uploaded: in the dashboard's tab, or on the settings page. Each has its own words (spec §5). */
export type LogoPlace = 'tab' | 'page';

interface Refused {
  readonly title: string;
  readonly description: string;
}

const wrongType: Record<LogoPlace, Refused> = {
  tab: { title: 'Invalid file type', description: 'Please select an image file (JPG, PNG, GIF, SVG, WebP)' },
  page: { title: 'Invalid File Type', description: 'Please select a valid image file (JPG, PNG, GIF, SVG, or WebP)' },
};
const tooLarge: Refused = { title: 'File Too Large', description: 'Please select a file smaller than 5MB' };

/** Why a chosen file cannot become the logo; null where it can. The server looks at its content as well. */
export function logoRefusal({ type, size }: Pick<File, 'type' | 'size'>, place: LogoPlace): Refused | null {
  const typed = place === 'tab' ? type.startsWith('image/') : logoTypes.has(type);
  if (!typed) return wrongType[place];
  return size > uploadLimits.logo ? tooLarge : null;
}

/** A size in MB, with two decimals. */
export function megabytesText(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(2)} MB`;
}
