const sizeUnits = ['Bytes', 'KB', 'MB', 'GB'];

/** Returns a size in Bytes, KB, MB or GB with up to 2 decimals (docs/product.md#media-library). */
export function sizeText(bytes: number): string {
  if (bytes <= 0) return '0 Bytes';
  const unit = Math.min(sizeUnits.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${Number((bytes / 1024 ** unit).toFixed(2))} ${sizeUnits[unit]}`;
}
