# Builds Ringward and leaves an image that holds the executable, the C and C++ runtime libraries and nothing to log
# in with. Run it with:
#   docker build --build-arg COMMIT="$(git rev-parse --short=12 HEAD)" -t ringward .
#   docker run --read-only -v ringward:/data -p 8080:8080 ringward
# With --build-arg BUILD=slim the optional weights stay out; `ringward models add` takes them as files later.
# For real calls the host's own network is simplest, because audio needs thousands of UDP ports:
#   docker run --read-only -v ringward:/data --network host -e RINGWARD_TELEPHONY__CARRIER=sip ringward
# Both base images are named by digest, so that a build tomorrow begins where one today did; the tags tell people what
# they are. To renew them: docker buildx imagetools inspect IMAGE:TAG.
FROM node:22.23.3-bookworm-slim@sha256:43ac6c60b8f89723f746e8a92ce91abd5017e627ce1ddfe4238355d3a30b772c AS build
WORKDIR /ringward
COPY package.json bun.lock bunfig.toml ./
COPY scripts/ensure-bun scripts/bring-bun scripts/bun-checksums scripts/
RUN bash scripts/ensure-bun
COPY . .
ARG COMMIT=unknown
ARG BUILD=full
RUN RINGWARD_COMMIT="$COMMIT" ./scripts/build "--$BUILD" && cd dist && \
    if [ "$BUILD" = slim ]; then \
      mv ringward-slim ringward && mv ringward-slim.cdx.json ringward.cdx.json && mv licences-slim.txt licences.txt; \
    fi
# The volume has to belong to the user of the final image, where there is no mkdir.
RUN mkdir /empty

# cc rather than base: the SQLite addon needs libstdc++. The user nonroot is 65532.
FROM gcr.io/distroless/cc-debian12:nonroot@sha256:9dac0a79194e45a7da0158a9c6da57b217585af0786db3845d1f0ec1a0dd182f
COPY --from=build /ringward/dist/ringward /ringward
COPY --from=build /ringward/dist/licences.txt /ringward/dist/ringward.cdx.json /usr/share/doc/ringward/
COPY --from=build --chown=65532:65532 /empty /data
# The addon is unpacked into TMPDIR at start, once per version. /data can be written and executed from even when the
# root is read-only; a tmpfs that Docker mounts on /tmp cannot.
ENV RINGWARD_SERVER__HOST=0.0.0.0 \
    RINGWARD_DATA__DIR=/data \
    TMPDIR=/data
USER 65532:65532
VOLUME /data
EXPOSE 8080 5060/udp 5060/tcp
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s CMD ["/ringward", "health"]
ENTRYPOINT ["/ringward"]
CMD ["serve"]
