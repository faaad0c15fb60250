# A small image: the binary, the certificates of the build stage, and nothing else.
#
#   docker build -t arena .
#   docker run -d --name arena -p 8080:8080 -v arena:/data arena
#   docker exec arena /arena admin create-game 1 2
FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o /arena . && mkdir -m 0700 /data

FROM scratch
COPY --from=build /arena /arena
COPY --from=build --chown=65532:65532 /data /data
USER 65532:65532
ENV ARENA_ADDR=0.0.0.0:8080 ARENA_DB=/data/arena.db
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
ENTRYPOINT ["/arena"]
CMD ["serve"]
