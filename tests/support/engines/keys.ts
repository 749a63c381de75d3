import type { Input } from 'webdriver-bidi-protocol';

/** The WebDriver codes for keys that do not type a character. */
const codes: Record<string, string> = {
  Backspace: '\uE003',
  Tab: '\uE004',
  Enter: '\uE007',
  Shift: '\uE008',
  Control: '\uE009',
  Alt: '\uE00A',
  Escape: '\uE00C',
  Space: ' ',
  PageUp: '\uE00E',
  PageDown: '\uE00F',
  End: '\uE010',
  Home: '\uE011',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
  Delete: '\uE017',
};

const keyboard = (actions: Input.KeySourceAction[]): Input.SourceActions => ({ type: 'key', id: 'keyboard', actions });

/** Returns the actions that press one key, or several keys together, such as `Control+End`. */
export function chord(keys: string): Input.SourceActions {
  const values = keys.split('+').map((key) => codes[key] ?? key);
  return keyboard([
    ...values.map((value) => ({ type: 'keyDown' as const, value })),
    ...values.toReversed().map((value) => ({ type: 'keyUp' as const, value })),
  ]);
}

/** Returns the actions that type a text. */
export function typing(text: string): Input.SourceActions {
  return keyboard(
    [...text].flatMap((character) => {
      const value = character === '\n' ? codes['Enter']! : character;
      return [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ];
    }),
  );
}

/** Returns the actions that move the mouse and press its button. */
export function mouse(at: { x: number; y: number }, presses = 0): Input.SourceActions {
  const press: Input.PointerSourceAction[] = [
    { type: 'pointerDown', button: 0 },
    { type: 'pointerUp', button: 0 },
  ];
  return {
    type: 'pointer',
    id: 'mouse',
    parameters: { pointerType: 'mouse' },
    actions: [{ type: 'pointerMove', ...at }, ...Array.from({ length: presses }, () => press).flat()],
  };
}

export function wheel(at: { x: number; y: number }, deltaX: number, deltaY: number): Input.SourceActions {
  return { type: 'wheel', id: 'wheel', actions: [{ type: 'scroll', ...at, deltaX, deltaY }] };
}
