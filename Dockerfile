# Builds two images: `site`, which is the website with its admin area, and `proxy`, which is Caddy with the example
# configuration. compose.yaml starts both. docs/deploy.md explains them.
#
# Any image with Node 24 and glibc can be the base: docker build --build-arg BASE=registry.example/node24 .
ARG BASE=node:24-bookworm-slim
ARG PROXY=caddy:2

FROM ${BASE} AS build
USER root
WORKDIR /srv/site
COPY package.json package-lock.json .npmrc ./
COPY netlify/no-emulator netlify/no-emulator
RUN npm ci --omit=dev && rm -rf node_modules/node-linux-*
COPY . .
# The pages contain the public URL. It must be the same when the site runs.
ARG SITE_URL
RUN node host/build/build.ts && rm -rf .cache .astro

FROM ${BASE} AS site
USER root
WORKDIR /srv/site
COPY --from=build /srv/site ./
RUN mkdir /data && chown 1000:1000 /data
ENV CONTEXT=production HOST=0.0.0.0 DATA_DIR=/data/site NODE_COMPILE_CACHE=/tmp/node npm_config_cache=/tmp/npm
# The numbers of the user `node`, so that a container may also run on a machine without this name.
USER 1000:1000
VOLUME /data
EXPOSE 8888
HEALTHCHECK --start-period=30s CMD ["node", "-e", "fetch('http://127.0.0.1:8888/api/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "scripts/node24.mjs", "host/start.ts"]

FROM ${PROXY} AS proxy
COPY docs/deploy/Caddyfile /etc/caddy/Caddyfile
COPY --from=build /srv/site/dist/unavailable.html /var/www/site/unavailable.html
