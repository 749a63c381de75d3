import { expect, test } from 'vitest';
import { logoRefusal, megabytesText } from './logo-file.ts';

test('A logo is a picture of at most 5 MB, and each screen has its own message', () => {
  expect(logoRefusal({ type: 'application/pdf', size: 1 }, 'tab')).toEqual({
    title: 'Invalid file type',
    description: 'Please select an image file (JPG, PNG, GIF, SVG, WebP)',
  });
  expect(logoRefusal({ type: 'image/avif', size: 1 }, 'page')).toEqual({
    title: 'Invalid File Type',
    description: 'Please select a valid image file (JPG, PNG, GIF, SVG, or WebP)',
  });
  expect(logoRefusal({ type: 'image/png', size: 5 * 1024 * 1024 + 1 }, 'page')).toEqual({
    title: 'File Too Large',
    description: 'Please select a file smaller than 5MB',
  });
  for (const type of ['image/jpeg', 'image/jpg', 'image/png', 'image/gif', 'image/svg+xml', 'image/webp']) {
    expect(logoRefusal({ type, size: 5 * 1024 * 1024 }, 'page')).toBeNull();
  }
});

test('Its size is shown in MB', () => {
  expect(megabytesText(1_572_864)).toBe('1.50 MB');
});
