# The published page modules of one team or of the shell, named by PAGES. The container is a job, not a server. It
# copies the modules to the folder that the gateways read and then switches one pointer. Built from the root of the
# repository with BuildKit or buildah:
#   docker buildx build --file deploy/docker/pages.Dockerfile --build-arg PAGES=booking --build-arg PACKAGE=svc-booking/web \
#     --build-arg NODE_IMAGE=node@sha256:… \
#     --build-arg VERSION=1.4.2 --build-arg REVISION="$(git rev-parse HEAD)" --sbom=true \
#     --tag registry.example/hospital/pages-booking:1.4.2 .
# NODE_IMAGE must name the base by digest. Its default is the tag to look up.

ARG NODE_IMAGE=node:20.19.4-bookworm-slim
# The gateway version that renders the modules. They are verified with its engine.
ARG GATEWAY_IMAGE=registry.example/hospital/gateway:0.2.0

FROM ${GATEWAY_IMAGE} AS gateway

# The files that decide what npm installs and links, with fixed times: only a change of one of them repeats the
# installation.
FROM ${NODE_IMAGE} AS manifests
# Production names the base by digest. `cargo xtask containers` builds its own.
ARG NODE_IMAGE
RUN case "${NODE_IMAGE}" in \
        *@sha256:* | localhost/*) ;; \
        *) echo "NODE_IMAGE=${NODE_IMAGE} has no digest: see docs/how-to/deploy-compose.md" >&2 && exit 1 ;; \
    esac
WORKDIR /src
COPY . .
RUN mkdir /manifests \
    && find . '(' -name package.json -o -name package-lock.json -o -name .npmrc -o -path '*/bin/*' ')' \
        -exec cp --parents --target-directory=/manifests {} + \
    && find /manifests -exec touch --date=@0 {} +

FROM ${NODE_IMAGE} AS build
WORKDIR /src
COPY --from=manifests /manifests ./
RUN --mount=type=cache,target=/npm-cache \
    npm ci --cache /npm-cache --no-audit --no-fund
COPY . .
ARG PACKAGE
RUN npm run --silent build --workspace "${PACKAGE}" \
    && mv "${PACKAGE}/dist" /pages
# The npm packages of the modules and of the tools that build them, as `cargo xtask release` lists them. Without time and
# random number, so that equal lock files give equal lists.
RUN npm sbom --sbom-format=cyclonedx --package-lock-only --workspace "${PACKAGE}" > /sbom.cdx.json \
    && sed -i '/^  "serialNumber": /d; /^    "timestamp": /d' /sbom.cdx.json
# Fails the build unless every module renders with and without data, identically in Node and in the gateway.
COPY --from=gateway /program /gateway
WORKDIR /pages
RUN node --input-type=module - /src/web-kit/api/openapi.json /src/web-kit/page/budget.json \
        < /src/xtask/src/publish/verify.mjs > /renders \
    && /gateway verify-remote . < /renders \
    && node --input-type=module - < /src/xtask/src/publish/seal.mjs

# Node, because the job updates a JSON pointer under a lock. The job runs for about a second.
FROM ${NODE_IMAGE}
ARG PAGES
ARG VERSION
ARG REVISION
LABEL org.opencontainers.image.title="pages-${PAGES}" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.licenses="Apache-2.0"
# A new volume takes over the owner of the folder at which it is mounted.
RUN install -d -o 10001 -g 10001 /remotes
COPY --from=build --chmod=0555 /pages /pages
COPY --from=build --chmod=0444 /sbom.cdx.json /sbom.cdx.json
COPY --chmod=0555 deploy/docker/publish.mjs /deploy/docker/publish.mjs
# For pages in a store: its client signs requests with aws4fetch.
COPY --chmod=0555 xtask/src/publish/store.mjs /xtask/src/publish/store.mjs
COPY --from=build --chmod=0555 /src/node_modules/aws4fetch /node_modules/aws4fetch
ENV PAGES=${PAGES} REMOTES_DIR=/remotes
USER 10001:10001
WORKDIR /remotes
HEALTHCHECK NONE
ENTRYPOINT ["node", "/deploy/docker/publish.mjs"]
