# The published page modules of one team or of the shell, named by PAGES. The container is a job, not a server. It
# copies the modules to the folder that the gateways read and then switches one pointer. Built from the root of the
# repository with BuildKit:
#   docker buildx build --file deploy/docker/pages.Dockerfile --build-arg PAGES=booking --build-arg PACKAGE=svc-booking/web \
#     --build-arg VERSION=1.4.2 --build-arg REVISION="$(git rev-parse HEAD)" --sbom=true --tag registry.example/pages-booking:1.4.2 .

# The gateway version that renders the modules. They are verified with its engine.
FROM registry.example/hospital/gateway:0.2.0 AS gateway

FROM node:20.19.4-bookworm-slim AS build
ARG PACKAGE
WORKDIR /src
COPY . .
RUN --mount=type=cache,target=/npm-cache \
    npm ci --cache /npm-cache --no-audit --no-fund
RUN npm run --silent build --workspace "${PACKAGE}" \
    && mv "${PACKAGE}/dist" /pages
# Fails the build unless every module renders with and without data, identically in Node and in the gateway.
COPY --from=gateway /program /gateway
WORKDIR /pages
RUN node --input-type=module - /src/web-kit/api/openapi.json /src/web-kit/page/budget.json \
        < /src/xtask/src/publish/verify.mjs > /renders \
    && /gateway verify-remote . < /renders \
    && node --input-type=module - < /src/xtask/src/publish/seal.mjs

# Node, because the job updates a JSON pointer under a lock. The job runs for about a second.
FROM node:20.19.4-bookworm-slim
ARG PAGES
ARG VERSION
ARG REVISION
LABEL org.opencontainers.image.title="pages-${PAGES}" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.licenses="Apache-2.0"
COPY --from=build --chmod=0555 /pages /pages
COPY --chmod=0555 deploy/docker/publish.mjs /publish.mjs
ENV PAGES=${PAGES} REMOTES_DIR=/remotes
USER 10001:10001
WORKDIR /remotes
HEALTHCHECK NONE
ENTRYPOINT ["node", "/publish.mjs"]
