/** The elements that an uploaded SVG file may contain. Any other element is dropped with its content. */
export const allowedElements: ReadonlySet<string> = new Set(
  (
    'svg g defs symbol use switch title desc style path rect circle ellipse line polyline polygon text tspan textPath image ' +
    'linearGradient radialGradient stop clipPath mask pattern marker filter feBlend feColorMatrix feComponentTransfer ' +
    'feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB ' +
    'feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight ' +
    'feTile feTurbulence'
  ).split(' '),
);

/** The attributes that an element of an uploaded SVG file may have: position, shape and color. */
export const allowedAttributes: ReadonlySet<string> = new Set(
  (
    'id class style lang viewBox preserveAspectRatio version width height x y x1 y1 x2 y2 cx cy r rx ry fx fy fr d points ' +
    'pathLength transform transform-origin dx dy rotate textLength lengthAdjust startOffset method spacing offset ' +
    'gradientUnits gradientTransform spreadMethod clipPathUnits maskUnits maskContentUnits patternUnits patternContentUnits ' +
    'patternTransform markerWidth markerHeight markerUnits refX refY orient filterUnits primitiveUnits in in2 result ' +
    'stdDeviation edgeMode mode operator k1 k2 k3 k4 values type tableValues slope intercept amplitude exponent order ' +
    'kernelMatrix divisor bias targetX targetY kernelUnitLength preserveAlpha surfaceScale diffuseConstant specularConstant ' +
    'specularExponent scale xChannelSelector yChannelSelector azimuth elevation z pointsAtX pointsAtY pointsAtZ ' +
    'limitingConeAngle radius baseFrequency numOctaves seed stitchTiles role aria-label aria-hidden aria-labelledby ' +
    'alignment-baseline baseline-shift clip-path clip-rule color color-interpolation color-interpolation-filters cursor ' +
    'direction display dominant-baseline fill fill-opacity fill-rule filter flood-color flood-opacity font-family font-size ' +
    'font-size-adjust font-stretch font-style font-variant font-weight image-rendering letter-spacing lighting-color ' +
    'marker-end marker-mid marker-start mask mask-type mix-blend-mode isolation opacity overflow paint-order pointer-events ' +
    'shape-rendering stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin ' +
    'stroke-miterlimit stroke-opacity stroke-width text-anchor text-decoration text-rendering unicode-bidi vector-effect ' +
    'visibility word-spacing writing-mode'
  ).split(' '),
);
