# The image of one program: the gateway, a service or ops-traces. Built from the root of the repository with BuildKit
# or buildah:
#   docker buildx build --file deploy/docker/program.Dockerfile --build-arg PROGRAM=svc-booking \
#     --build-arg RUST_IMAGE=rust@sha256:… \
#     --build-arg VERSION=1.4.2 --build-arg REVISION="$(git rev-parse HEAD)" \
#     --sbom=true --provenance=true --tag registry.example/hospital/svc-booking:1.4.2 .
# All images share one compile: PROGRAM is only an argument of the last stage. With PACKAGES=--package=svc-booking a
# team's pipeline compiles its own program only.
# RUST_IMAGE must name the base by digest. Its default is the tag to look up.
# Compose and Kubernetes set the listening addresses. ops-traces is for one developer's machine: it listens on loopback
# only and has no `health` command, so run it with `--network host --no-healthcheck`.

ARG RUST_IMAGE=rust:1.95-bookworm
FROM ${RUST_IMAGE} AS build
# Production names the base by digest. `cargo xtask containers` builds its own.
ARG RUST_IMAGE
RUN case "${RUST_IMAGE}" in \
        *@sha256:* | localhost/*) ;; \
        *) echo "RUST_IMAGE=${RUST_IMAGE} has no digest: see docs/how-to/deploy-compose.md" >&2 && exit 1 ;; \
    esac
ARG CARGO_AUDITABLE_VERSION=0.7.5
# Only ops-traces needs protoc.
RUN command -v protoc \
    || { apt-get update \
        && apt-get install --yes --no-install-recommends protobuf-compiler=3.21.* \
        && rm -rf /var/lib/apt/lists/*; }
# cargo-auditable embeds the compressed list of crates in the binary, where image scanners can read it.
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    cargo install --locked --root /opt/cargo-auditable cargo-auditable@${CARGO_AUDITABLE_VERSION}
ENV PATH=/opt/cargo-auditable/bin:$PATH
WORKDIR /src
COPY . .
ARG PACKAGES="--workspace --exclude=xtask"
# `dev` compiles faster, for tests of the images themselves. Cargo puts it into the folder `debug`.
ARG PROFILE=dist
# Compiled crates stay in the cache mount, so that a changed source file recompiles only its own crate and the crates
# that depend on it.
# hadolint ignore=SC2086
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    --mount=type=cache,target=/src/target,sharing=locked \
    cargo auditable build --locked --profile "${PROFILE}" ${PACKAGES} --bins \
    && folder="target/${PROFILE}" && { [ -d "${folder}" ] || folder=target/debug; } \
    && for program in "${folder}"/*; do \
        if [ -f "${program}" ] && [ -x "${program}" ]; then \
            sh deploy/docker/rootfs.sh "${program}" "/rootfs/${program##*/}" || exit 1; \
        fi; \
    done

FROM scratch
ARG PROGRAM
ARG VERSION
ARG REVISION
LABEL org.opencontainers.image.title="${PROGRAM}" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.licenses="Apache-2.0"
COPY --from=build /rootfs/${PROGRAM}/ /
USER 10001:10001
WORKDIR /data
# `health` probes the serving process. It reads no key and opens no database.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 CMD ["/program", "health"]
ENV LOG_FORMAT=json
ENTRYPOINT ["/program"]
